#include "scaling/measure/measure.hpp"

#include <chrono>

namespace hiple::scaling {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

std::uint64_t total_steps(Strategy& strategy) {
  std::uint64_t steps = 0;
  for (const TrainedModel& model : strategy.models()) steps += model.steps;
  return steps;
}

void warm_up(Strategy& strategy, ComputeClock& clock, std::uint64_t warmup, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < warmup && steps > 0; ++i) {
    if (i % steps == 0) strategy.start();
    clock.begin_step(i);
    strategy.step(i % steps);
    clock.end_step();
  }
}

}  // namespace

RankTimes measure(Strategy& strategy, Communicator& world, ComputeClock& clock, std::uint64_t warmup, const Watchers& watchers) {
  const std::uint64_t steps = total_steps(strategy);
  RankTimes times;
  for (auto* list : {&times.step, &times.compute, &times.exposed, &times.loss}) list->resize(steps);
  warm_up(strategy, clock, warmup, steps);
  strategy.start();
  world.barrier();
  world.take_seconds();
  const Clock::time_point zero = Clock::now();
  enter(watchers.phase, Phase::train);
  Clock::time_point begin = Clock::now();
  times.start = seconds(begin - zero);
  for (std::uint64_t i = 0; i < steps; ++i) {
    clock.begin_step(i);
    times.loss[i] = strategy.step(i);
    times.compute[i] = clock.end_step();
    times.exposed[i] = world.take_seconds();
    const Clock::time_point end = Clock::now();
    times.step[i] = seconds(end - begin);
    begin = end;
    if (watchers.steps) watchers.steps(i + 1);
  }
  times.end = seconds(begin - zero);
  enter(watchers.phase, Phase::wait);
  return times;
}

}  // namespace hiple::scaling
