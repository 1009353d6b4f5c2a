#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "run/phase.hpp"

namespace hiple::mpi {

/// What one MPI function cost in one phase.
struct LedgerRow {
  Phase phase = Phase::init;
  std::string function;
  std::uint64_t calls = 0;
  std::uint64_t bytes_sent = 0;      ///< handed to MPI by this rank
  std::uint64_t bytes_received = 0;  ///< room this rank offered for what comes in: an upper bound
  double seconds = 0;                ///< inside MPI
};

/// Time spent in one phase, in MPI or not.
struct PhaseTime {
  Phase phase = Phase::init;
  double seconds = 0;
};

/// Every MPI call of this process, by phase, counted by the profiling interface of the MPI standard (chapter "Profiling
/// interface"): mpi/ledger/generate.py makes a wrapper of each function in mpi.h. Traffic of persistent requests is
/// counted as calls without bytes.
class Ledger {
 public:
  /// The one ledger of the process: the wrappers are C functions and have no other way to find it.
  static Ledger& of_this_process();

  void enter(Phase phase);
  void note(std::size_t function, std::uint64_t sent, std::uint64_t received, double seconds);

  /// One row for each phase and function with calls, in the order of phases and names.
  [[nodiscard]] std::vector<LedgerRow> rows() const;
  /// One entry for each phase that was entered; the current one counts up to now.
  [[nodiscard]] std::vector<PhaseTime> phase_times() const;

 private:
  Ledger();
  struct Count {
    std::uint64_t calls = 0, sent = 0, received = 0;
    double seconds = 0;
  };

  mutable std::mutex mutex_;
  Phase phase_ = Phase::init;
  double phase_start_;
  std::vector<double> phase_seconds_;
  std::vector<bool> entered_;
  std::vector<Count> counts_;  ///< [phases, functions]
};

/// Names of the functions that have a wrapper, ascending (generated).
const std::vector<std::string_view>& ledger_functions();

}  // namespace hiple::mpi
