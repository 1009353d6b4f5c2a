#pragma once

/// Included before scaling/strategy/communicator.cpp and pending.cpp when they are compiled for the simulator: the calls of MPI
/// that the simulation has functions of its own for.
#include "scaling/simulation/collectives.hpp"

#define MPI_Iallreduce hiple::simulation::iallreduce
#define MPI_Iallgatherv hiple::simulation::iallgatherv
#define MPI_Ialltoallv hiple::simulation::ialltoallv
#define MPI_Allreduce hiple::simulation::allreduce
#define MPI_Bcast hiple::simulation::bcast
#define MPI_Testall hiple::simulation::test_all
#define MPI_Waitall hiple::simulation::wait_all
