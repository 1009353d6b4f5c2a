#pragma once

#include "engine/checkpoint.hpp"

namespace hiple::engine {

/// Whether what was read of a checkpoint can be what a training left: sizes that fit one another, a model within the limits of
/// run.yaml, numbers that can be computed with. Whoever computes with it looks at none of this again. Throws Error with the first
/// fault.
void check_checkpoint(const Checkpoint& checkpoint);

}  // namespace hiple::engine
