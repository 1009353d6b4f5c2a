#pragma once

#include <mpi.h>

#include "scaling/simulation/schedule.hpp"

namespace hiple::simulation {

/// Collectives that go on beside the computing, in place of SMPI's own, which send everything from everybody to everybody: data
/// parallel training would look N times as bad as it is. They take the arguments of MPI's functions, and give out requests that
/// only test_all() and wait_all() know. As in Open MPI nothing moves on by itself: a round begins inside one of these calls.
/// Numbers are not moved and not added; reductions cost the time of their messages alone.
int iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request);
int iallgatherv(const void* send, int count, MPI_Datatype type, void* receive, const int* counts, const int* places,
                MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request);
int ialltoallv(const void* send, const int* counts, const int* places, MPI_Datatype type, void* receive,
               const int* received_counts, const int* received_places, MPI_Datatype received_type, MPI_Comm comm,
               MPI_Request* request);
int ireduce_scatter(std::size_t bytes, MPI_Comm comm, MPI_Request* request);
/// The blocking sum: the same schedule, waited for.
int allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/// The first weights: before the clock, and no part of a step.
int bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm);

int test_all(int count, MPI_Request* requests, int* done, MPI_Status* statuses);
int wait_all(int count, MPI_Request* requests, MPI_Status* statuses);

/// For all ranks, before the first operation.
void choose(Algorithm algorithm);

}  // namespace hiple::simulation
