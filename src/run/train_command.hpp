#pragma once

#include "run/command_record.hpp"
#include "run/engine_record.hpp"
#include "run/train_here.hpp"

namespace hiple {

/// What came of a command.
struct CommandOutcome {
  Judgments judgments;  ///< of every case of the table
  CommandRecord record;
};

/// Runs an engine's program and reads what it wrote (docs/command_engines.md). All that it starts is gone when this returns, when
/// it throws, and when this process is gone. Throws Error where the program failed or stood still, which another attempt may not
/// do, RepeatableError where it would (exit status 2, no judgments, out of time), InputError where its judgments are not sound,
/// Interrupted where it was asked to stop.
CommandOutcome train_command(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                             const Table& table, const engine::Parts& parts, const Attempt& attempt, EngineLog& log);

}  // namespace hiple
