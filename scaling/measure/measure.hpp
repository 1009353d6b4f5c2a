#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "run/phase.hpp"
#include "scaling/measure/stretch.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

/// What one rank measured, each entry a step of its own.
struct RankTimes {
  std::vector<double> step;     ///< seconds
  std::vector<double> compute;  ///< of these in forward, loss, backward and optimizer, with a straggler's sleep
  std::vector<double> exposed;  ///< of these in communication: starting it, moving it on, waiting for it
  std::vector<double> loss;     ///< this rank's part
  double start = 0, end = 0;    ///< of training, seconds after this rank left the barrier before it
};

/// Who is told of what happens; each may be empty. Neither may allocate or communicate.
struct Watchers {
  PhaseObserver phase;                             ///< `train` from just before the first step to just after the last one
  std::function<void(std::uint64_t steps)> steps;  ///< how many steps of the training are done, after each
};

/// A rank's training: `warmup` steps, then back to the beginning, a barrier, and all steps of the strategy with the time of each.
/// Nothing is allocated between the first step and the last, and no word is said to others but by the strategy.
RankTimes measure(Strategy& strategy, Communicator& world, ComputeClock& clock, std::uint64_t warmup, const Watchers& watchers);

}  // namespace hiple::scaling
