#pragma once

#include "engine/checkpoint.hpp"
#include "engine/engine.hpp"

namespace hiple::engine {

/// Trains an engine to its end, from the start or from the checkpoint that is there, as Engine::train says.
Checkpoint train_to_end(const Table& table, const EngineConfig& config, const Parts& parts, std::uint64_t seed,
                        const TrainOptions& options);

Progress progress_of(const TrainingState& state, const TrainConfig& config);

}  // namespace hiple::engine
