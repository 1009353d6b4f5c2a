#include "mpi/session.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>

#include "base/error.hpp"
#include "mpi/ledger/ledger.hpp"

namespace hiple::mpi {

namespace {

/// Facts on Debian's Open MPI: after a rank died, 2 of 43 calls of MPI_Finalize never returned.
constexpr unsigned finalize_limit = 20;  // seconds

/// For the handler of SIGALRM, which has no other way to know it.
std::atomic<int> status_when_stuck = 0;

extern "C" void leave_now(int) { ::_exit(status_when_stuck.load()); }

void watch_finalize(int exit_status) {
  status_when_stuck = exit_status;
  struct sigaction action {};
  action.sa_handler = leave_now;
  ::sigaction(SIGALRM, &action, nullptr);
  ::alarm(finalize_limit);
}

}  // namespace

void check(int code, const std::string& doing) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(doing + ": " + std::string(text.data(), static_cast<std::size_t>(length)));
}

Session::Session() {
  Ledger::of_this_process().enter(Phase::init);
  check(MPI_Init(nullptr, nullptr), "MPI_Init");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
}

Session::~Session() {
  Ledger::of_this_process().enter(Phase::finalize);
  watch_finalize(exit_status_);
  const auto start = std::chrono::steady_clock::now();
  if (MPI_Finalize() != MPI_SUCCESS) spdlog::error("MPI_Finalize failed");
  ::alarm(0);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  spdlog::debug("MPI_Finalize took {:.3f} s", time.count());
}

}  // namespace hiple::mpi
