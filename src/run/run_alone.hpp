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
  bool judges = true;  ///< where judging is on demand: judges what the law asks for; false: leaves requests
  bool prints = true;  ///< the summary
  TrainSettings train;
  int threads = bound_processors();               ///< that hash the data and decide
  std::size_t most_cases = RunTable::usual_most;  ///< in memory at once: see RunTable
  /// Called when the decisions are written, to add to the summary what was watched meanwhile. May be empty.
  std::function<void(report::Summary&)> watched;
};

/// Trains every engine in turn, decides, writes everything, and prints the summary. Reads the whole table first: a table that
/// cannot be read is an InputError and leaves nothing behind.
ExitStatus run_alone(const PreparedRun& run, const RunDirectory& directory, const AloneSettings& settings);

/// One engine alone, as a task of an array: trains it, or lets it judge what the law asks for. Throws InputError where the
/// directory holds another run.
EngineOutcome train_alone(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                          const TrainSettings& settings);
/// Several, `settings.at_once` side by side; those that another process holds are left to it.
std::vector<EngineOutcome> train_alone(const PreparedRun& run, const RunDirectory& directory,
                                       const std::vector<std::size_t>& engines, const TrainSettings& settings);

/// Lets an engine that is trained judge what the law asks for; nothing where it asks for nothing. Throws InputError: it has not
/// judged anything yet.
ExitStatus answer_request(const PreparedRun& run, const RunDirectory& directory, const std::string& engine);

/// The law alone, on the judgments that are in the directory; nothing is trained. `deadline`: seconds to wait for those that are
/// not. Where judging is on demand and the law asks for more, engine after engine is asked here (`settings.judges`); else
/// requests are left, they are printed, nothing is decided, and the status is `status_asking`.
ExitStatus integrate_alone(const PreparedRun& run, const RunDirectory& directory, double deadline, AloneSettings settings);

}  // namespace hiple
