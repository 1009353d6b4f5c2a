#pragma once

#include "base/error.hpp"
#include "run/integrate.hpp"
#include "run/phase.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "run/train_engine.hpp"

namespace hiple {

/// How one process does a whole run.
struct AloneSettings {
  bool fresh = false;
  bool trains = true;  ///< false: the law alone
  TrainSettings train;
  int threads = bound_processors();               ///< that hash the data and decide
  std::size_t most_cases = RunTable::usual_most;  ///< in memory at once: see RunTable
  /// Called when the decisions are written, to add to the summary what was watched meanwhile. May be empty.
  std::function<void(report::Summary&)> watched;
};

/// Trains every engine in turn, decides, writes everything, and prints the summary. Reads the whole table first: a table that
/// cannot be read is an InputError and leaves nothing behind.
ExitStatus run_alone(const PreparedRun& run, const RunDirectory& directory, const AloneSettings& settings);

/// The law alone, on the judgments that are in the directory; nothing is trained. `deadline`: seconds to wait for those that are
/// not.
ExitStatus integrate_alone(const PreparedRun& run, const RunDirectory& directory, double deadline, AloneSettings settings);

}  // namespace hiple
