#include "scaling/micro/messages.hpp"

#include <mpi.h>

#include "mpi/session.hpp"

namespace hiple::scaling {

namespace {

using mpi::check;

int rank_of_this_process() {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank;
}

int ranks_in_all() {
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  return size;
}

/// The number of calls that rank 0 settled.
std::int64_t from_rank_0(std::int64_t calls) {
  check(MPI_Bcast(&calls, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "MPI_Bcast");
  return calls;
}

void there_and_back(int rank, std::vector<char>& message) {
  const int size = static_cast<int>(message.size());
  const auto send = [&](int to) { check(MPI_Send(message.data(), size, MPI_BYTE, to, 0, MPI_COMM_WORLD), "MPI_Send"); };
  const auto receive = [&](int from) {
    check(MPI_Recv(message.data(), size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
  };
  if (rank == 0) {
    send(1);
    receive(1);
  } else if (rank == 1) {
    receive(0);
    send(0);
  }
}

}  // namespace

void take_slowest(std::vector<double>& seconds) {
  check(MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
        "MPI_Allreduce");
}

Series point_to_point_series(const std::vector<std::int64_t>& sizes, const Effort& effort) {
  Series series{"point_to_point", "a message between two ranks, one way", "bytes", "byte/s", {}};
  const int rank = rank_of_this_process();
  for (const std::int64_t size : sizes) {
    std::vector<char> message(static_cast<std::size_t>(size), 1);
    std::vector<double> seconds = time_calls(
        effort, [&] { there_and_back(rank, message); }, from_rank_0);
    take_slowest(seconds);
    for (double& value : seconds) value /= 2;
    series.points.push_back({.size = size, .work = static_cast<double>(size), .seconds = std::move(seconds)});
  }
  return series;
}

Series all_reduce_series(const std::vector<std::int64_t>& sizes, const Effort& effort) {
  Series series{"all_reduce", "a sum over all ranks, in place; work is 2(N-1)/N of the bytes", "bytes", "byte/s", {}};
  const double ranks = ranks_in_all();
  for (const std::int64_t size : sizes) {
    std::vector<float> values(static_cast<std::size_t>(size) / sizeof(float), 0.0F);  // zeros: sums stay finite
    const auto call = [&] {
      check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD),
            "MPI_Allreduce");
    };
    std::vector<double> seconds = time_calls(effort, call, from_rank_0);
    take_slowest(seconds);
    series.points.push_back(
        {.size = size, .work = 2 * (ranks - 1) / ranks * static_cast<double>(size), .seconds = std::move(seconds)});
  }
  return series;
}

}  // namespace hiple::scaling
