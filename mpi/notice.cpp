#include "mpi/notice.hpp"

#include <mpi.h>

#include <chrono>
#include <thread>

#include "mpi/session.hpp"

namespace hiple::mpi {

namespace {

constexpr int tag = 1;

}  // namespace

bool send_notice(int to, int rank, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  // The buffer must outlive a request that is given up: MPI may still read it.
  static int content = 0;
  content = rank;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&content, 1, MPI_INT, to, tag, MPI_COMM_WORLD, &request), "MPI_Isend");
  while (true) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return true;
    if (Clock::now() >= deadline) {
      check(MPI_Request_free(&request), "MPI_Request_free");
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

int receive_notices() {
  int count = 0;
  while (true) {
    int there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status), "MPI_Iprobe");
    if (there == 0) return count;
    // Its only block is one integer, which came with its envelope: this returns at once.
    int rank = 0;
    check(MPI_Recv(&rank, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
    ++count;
  }
}

}  // namespace hiple::mpi
