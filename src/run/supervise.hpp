#pragma once

#include <cstdint>

#include "run/train_engine.hpp"

namespace hiple {

/// How an engine's process says that it ended, in its pulse. `none`: it did not come to say so.
enum class Verdict : std::uint32_t { none, trained, reused, failed, repeatable, bad_input, interrupted };

/// What an engine's process does, in its pulse.
enum class Stage : std::uint32_t { train, judge, write };

/// Trains one engine in processes of its own: starts one, watches it, and starts another where it failed, from the last
/// checkpoint, up to `restarts` times. Tried again is what may go better next time: a crash, a process that was killed or stands
/// still, no memory, a full disk, any exception but those that the same input brings again (wrong input, a loss that is not
/// finite). Each attempt is recorded in engines/E/attempts.jsonl. The caller holds the engine's lock,
/// and takes the signals.
EngineOutcome supervise(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                        const TrainSettings& settings, process::Spawner& spawner);

/// Seconds that a process may stand still: while it makes steps, a thousand times its longest step, but not under a minute and
/// not over `step_limit`; else `step_limit`. Reading and judging beat for every few thousand rows, so that work that takes hours
/// is no standstill as long as it moves.
double stall_limit(bool training, double longest_step, double step_limit);

}  // namespace hiple
