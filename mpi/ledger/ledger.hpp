#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/ledger/clock.hpp"
#include "mpi/ledger/timeline.hpp"
#include "run/phase.hpp"

namespace hiple::mpi {

/// What one MPI function cost in one phase on one communicator.
struct LedgerRow {
  Phase phase = Phase::init;
  std::string communicator;  ///< its name; "world", "self"; "" where the call has none
  int communicator_size = 0;
  std::string function;
  std::uint64_t calls = 0;
  std::uint64_t bytes_sent = 0;      ///< handed to MPI by this rank
  std::uint64_t bytes_received = 0;  ///< room this rank offered for what comes in: an upper bound
  double seconds = 0;                ///< inside MPI
  double wait_seconds = 0;           ///< of those, in functions that may not return before another process does something
};

/// Time spent in one phase, in MPI or not.
struct PhaseTime {
  Phase phase = Phase::init;
  double seconds = 0;
};

/// One call of a wrapped function.
struct CallRecord {
  std::size_t function = 0;      ///< index into ledger_functions()
  std::size_t communicator = 0;  ///< from Ledger::communicator
  std::uint64_t sent = 0, received = 0;
  std::chrono::steady_clock::time_point start, end;
  bool waits = false;  ///< may not return before another process does something
  bool polls = false;  ///< asks and returns at once: many in a row are one event
};

/// Every call of MPI and of NCCL in this process, by phase and communicator; of MPI by the profiling interface of the MPI
/// standard (chapter "Profiling interface"). mpi/ledger/generate.py makes a wrapper of each function and holds the rules of bytes
/// and of waiting. Knows nothing of MPI itself, and serves a process without MPI as well: then there are phases only.
class Ledger {
 public:
  /// The one ledger of the process: the wrappers are C functions and have no other way to find it.
  static Ledger& of_this_process();

  /// `detail`: the engine that is trained, judged or written, where it is one.
  void enter(Phase phase, std::string_view detail = {});
  /// A training step is done: what a certificate is about. Called at the end of each, from the thread that trains.
  void step() { steps_.fetch_add(1, std::memory_order_relaxed); }
  void note(const CallRecord& call);
  /// The number by which calls name a communicator. Equal name and size are one; 0 is "none". Beyond 256 different ones, all
  /// further ones are "other communicators".
  std::size_t communicator(const std::string& name, int size);
  /// The MPI library's own words about its version; "" without MPI.
  void set_mpi(const std::string& version);

  /// One row for each phase, communicator and function with calls, in the order of phases, then first use, then names.
  [[nodiscard]] std::vector<LedgerRow> rows() const;
  /// One entry for each phase that was entered; the current one counts up to now.
  [[nodiscard]] std::vector<PhaseTime> phase_times() const;
  [[nodiscard]] std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  /// Phases and calls. The current phase ends now.
  [[nodiscard]] Timeline timeline() const;
  [[nodiscard]] Clock clock() const { return anchor_.clock(); }
  [[nodiscard]] std::string mpi() const;

 private:
  Ledger();
  struct Count {
    std::uint64_t calls = 0, sent = 0, received = 0;
    double seconds = 0, wait_seconds = 0;
  };
  struct Communicator {
    std::string name;
    int size = 0;
    bool operator==(const Communicator&) const = default;
  };

  [[nodiscard]] double now() const { return anchor_.seconds(std::chrono::steady_clock::now()); }
  [[nodiscard]] Event current_phase() const;

  mutable std::mutex mutex_;
  ClockAnchor anchor_;
  std::atomic<std::uint64_t> steps_ = 0;
  std::string mpi_;
  Phase phase_ = Phase::init;
  std::uint32_t detail_ = 0;
  double phase_start_ = 0;
  std::vector<double> phase_seconds_;
  std::vector<bool> entered_;
  std::vector<Communicator> communicators_;  ///< [0] is none
  std::vector<std::vector<Count>> counts_;   ///< [communicators x phases][functions], empty where nothing was called
  NameTable details_;                        ///< engines
  EventBuffer phases_, calls_;               ///< apart, so that many calls leave room for the phases
};

/// Names of the functions that have a wrapper, ascending (generated).
const std::vector<std::string_view>& ledger_functions();

}  // namespace hiple::mpi
