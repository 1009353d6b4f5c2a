#pragma once

#include "engine/engine.hpp"
#include "run/train_engine.hpp"

namespace hiple {

/// What the process that trains adds to the settings.
struct Attempt {
  std::uint64_t number = 1;
  std::function<engine::Request()> request;         ///< may be empty
  std::function<void()> on_save;                    ///< may be empty
  std::function<void(std::uint64_t step)> on_step;  ///< may be empty
  std::function<void()> beat;                       ///< shows that the work goes on where there are no steps; may be empty
  std::string isolation = "rank";                   ///< process or rank, for the record
};

/// One attempt in this process: reads the table, trains, judges, writes. Writes no FAILED; throws nothing: what goes wrong is in
/// the outcome. Nobody else writes the engine's files meanwhile (run/writer.hpp).
EngineOutcome train_here(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                         const TrainSettings& settings, const Attempt& attempt);

}  // namespace hiple
