#include "scaling/simulation/collectives.hpp"

#include <simgrid/engine.h>

#include <memory>

#include "scaling/simulation/memory.hpp"
#include "scaling/simulation/rank_clock.hpp"

namespace hiple::simulation {

namespace {

/// Messages of an all-to-all that a rank has under way at a time.
constexpr int window = 2;

Algorithm& chosen() {
  static Algorithm algorithm = Algorithm::ring;
  return algorithm;
}

/// A collective under way on one rank.
class Operation {
 public:
  Operation(Schedule schedule, MPI_Comm comm, RankState& state)
      : schedule_(std::move(schedule)), comm_(comm), state_(state), tag_(state.next_tag++) {
    begin_round();
  }

  /// Looks, and begins the next round where this one is done. Whether all are.
  bool move_on() {
    while (round_ < schedule_.size()) {
      int done = 0;
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
      if (done == 0) return false;
      ++round_;
      begin_round();
    }
    return true;
  }

  void finish() {
    while (round_ < schedule_.size()) {
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
      ++round_;
      begin_round();
    }
  }

 private:
  void begin_round() {
    requests_.clear();
    if (round_ >= schedule_.size()) return;
    for (const Exchange& one : schedule_[round_]) {
      if (one.from >= 0) {
        MPI_Irecv(shared_memory(one.received), static_cast<int>(one.received), MPI_BYTE, one.from, tag_, comm_,
                  &requests_.emplace_back());
      }
      if (one.to >= 0) {
        MPI_Isend(shared_memory(one.sent), static_cast<int>(one.sent), MPI_BYTE, one.to, tag_, comm_, &requests_.emplace_back());
        state_.sent += one.sent;
        ++state_.messages;
      }
    }
  }

  Schedule schedule_;
  MPI_Comm comm_;
  RankState& state_;
  int tag_;
  std::size_t round_ = 0;
  std::vector<MPI_Request> requests_;
};

/// SMPI's requests are pointers, and so are these: nobody but test_all() and wait_all() looks behind them.
Operation* operation_of(MPI_Request request) { return reinterpret_cast<Operation*>(request); }

void start(Schedule schedule, MPI_Comm comm, MPI_Request* request) {
  RankState& state = this_rank();
  state.clock.settle();
  *request = reinterpret_cast<MPI_Request>(std::make_unique<Operation>(std::move(schedule), comm, state).release());
}

struct Place {
  int rank = 0, ranks = 1;
};

Place place_in(MPI_Comm comm) {
  Place place;
  MPI_Comm_rank(comm, &place.rank);
  MPI_Comm_size(comm, &place.ranks);
  return place;
}

std::size_t bytes_of(long long count) { return sizeof(float) * static_cast<std::size_t>(count); }

}  // namespace

void choose(Algorithm algorithm) { chosen() = algorithm; }

int iallreduce(const void*, void*, int count, MPI_Datatype, MPI_Op, MPI_Comm comm, MPI_Request* request) {
  const Place at = place_in(comm);
  start(all_reduce(chosen(), at.rank, at.ranks, bytes_of(count)), comm, request);
  return MPI_SUCCESS;
}

int iallgatherv(const void*, int, MPI_Datatype, void*, const int* counts, const int*, MPI_Datatype, MPI_Comm comm,
                MPI_Request* request) {
  const Place at = place_in(comm);
  long long all = 0;
  for (int i = 0; i < at.ranks; ++i) all += counts[i];
  start(all_gather(chosen(), at.rank, at.ranks, bytes_of(all)), comm, request);
  return MPI_SUCCESS;
}

int ialltoallv(const void*, const int* counts, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype,
               MPI_Comm comm, MPI_Request* request) {
  const Place at = place_in(comm);
  long long all = 0;
  for (int i = 0; i < at.ranks; ++i) all += counts[i];
  start(all_to_all(at.rank, at.ranks, bytes_of(all) / static_cast<std::size_t>(at.ranks), window), comm, request);
  return MPI_SUCCESS;
}

int ireduce_scatter(std::size_t bytes, MPI_Comm comm, MPI_Request* request) {
  const Place at = place_in(comm);
  start(reduce_scatter(chosen(), at.rank, at.ranks, bytes), comm, request);
  return MPI_SUCCESS;
}

int allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  iallreduce(send, receive, count, type, op, comm, &request);
  return wait_all(1, &request, MPI_STATUSES_IGNORE);
}

int bcast(void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; }

int test_all(int count, MPI_Request* requests, int* done, MPI_Status*) {
  RankState& state = this_rank();
  state.clock.settle();
  *done = 0;
  // Whoever looks several times in a row sees no more than at first: no time has passed between.
  if (state.looked == simgrid_get_clock()) return MPI_SUCCESS;
  *done = 1;
  for (int i = 0; i < count; ++i) {
    if (requests[i] != MPI_REQUEST_NULL && !operation_of(requests[i])->move_on()) *done = 0;
  }
  if (*done == 0) {
    state.looked = simgrid_get_clock();
    return MPI_SUCCESS;
  }
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    delete operation_of(requests[i]);
    requests[i] = MPI_REQUEST_NULL;
  }
  return MPI_SUCCESS;
}

int wait_all(int count, MPI_Request* requests, MPI_Status*) {
  this_rank().clock.settle();
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    const std::unique_ptr<Operation> operation(operation_of(requests[i]));
    operation->finish();
    requests[i] = MPI_REQUEST_NULL;
  }
  return MPI_SUCCESS;
}

}  // namespace hiple::simulation
