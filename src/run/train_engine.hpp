#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "run/phase.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct TrainSettings {
  int ranks = 1;                                    ///< of the whole job: how often progress may be written
  std::string job;                                  ///< the launcher's name for the job, for locks
  PhaseObserver phase;                              ///< train, judge, write
  std::function<void(std::uint64_t step)> on_step;  ///< may be empty; throwing fails the engine
};

/// What became of an engine.
struct EngineOutcome {
  enum class State { trained, reused, failed };
  std::string engine;
  State state = State::trained;
  std::string reason;                    ///< of a failure
  ExitStatus status = ExitStatus::done;  ///< of a failure: bad_input or failed
  double seconds = 0;                    ///< from reading the table to the judgments file
};

/// Trains one engine on the rows that its condition selects, judges every case of the table, and leaves checkpoint, result,
/// and last of all the judgments file. Judgments that are there already, of the same configuration and data, are kept.
/// What goes wrong ends in engines/E/FAILED and in the outcome, not in an exception; only a lock that another process
/// holds is thrown (InputError), since the engine is in good hands then.
EngineOutcome train_engine(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings);

/// Trains engines one after another; a failure does not keep the next from its turn. Holds the locks of all of them from the
/// start, each until its engine is done; an engine that another process holds is left to it.
std::vector<EngineOutcome> train_engines(const PreparedRun& run, const RunDirectory& directory,
                                         const std::vector<std::size_t>& engines, const TrainSettings& settings);

/// What a judgments file of this run must have been made from.
struct Identity {
  std::string config_sha256;
  std::string data_sha256;
  bool operator==(const Identity&) const = default;
};
/// `table` must hold the engine's columns; others do not matter.
Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const Table& table);

}  // namespace hiple
