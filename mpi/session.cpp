#include "mpi/session.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string_view>

#include "base/error.hpp"
#include "mpi/ledger/ledger.hpp"

namespace hiple::mpi {

namespace {

/// MPI_Init returns when every rank has come to it. One that was refused or died before never comes, and a launcher that lets
/// the others go on leaves them waiting for ever.
constexpr unsigned init_limit = 300;  // seconds
/// Facts on Debian's Open MPI: after a rank died, 2 of 43 calls of MPI_Finalize never returned.
constexpr unsigned finalize_limit = 20;  // seconds

/// For the handlers of SIGALRM, which have no other way to know it.
std::atomic<int> status_when_stuck = 0;

extern "C" void leave_now(int) { ::_exit(status_when_stuck.load()); }

extern "C" void give_up_init(int) {
  constexpr std::string_view text = "hiple: MPI_Init did not return: a rank is missing, and its own message says why\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(static_cast<int>(ExitStatus::failed));
}

/// Calls `handler` unless stop_watching comes first.
void watch(void (*handler)(int), unsigned seconds) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(SIGALRM, &action, nullptr);
  ::alarm(seconds);
}

void stop_watching() { ::alarm(0); }

}  // namespace

Session::Session() {
  Ledger::of_this_process().enter(Phase::init);
  watch(give_up_init, init_limit);
  check(MPI_Init(nullptr, nullptr), "MPI_Init");
  stop_watching();
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  check(MPI_Get_library_version(version.data(), &length), "MPI_Get_library_version");
  Ledger::of_this_process().set_mpi(std::string(version.data()));
}

Session::~Session() {
  Ledger::of_this_process().enter(Phase::finalize);
  status_when_stuck = exit_status_;
  watch(leave_now, finalize_limit);
  const auto start = std::chrono::steady_clock::now();
  if (MPI_Finalize() != MPI_SUCCESS) spdlog::error("MPI_Finalize failed");
  stop_watching();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  spdlog::debug("MPI_Finalize took {:.3f} s", time.count());
}

}  // namespace hiple::mpi
