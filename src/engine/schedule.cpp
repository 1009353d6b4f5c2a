#include "engine/schedule.hpp"

#include <cmath>
#include <numbers>

namespace hiple::engine {

double learning_rate(const Schedule& schedule, std::uint64_t step) {
  if (step < schedule.warmup) return schedule.peak * static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
  if (schedule.decay == Decay::constant) return schedule.peak;
  if (step >= schedule.steps) return 0.0;
  const auto done = static_cast<double>(step - schedule.warmup), all = static_cast<double>(schedule.steps - schedule.warmup);
  return 0.5 * schedule.peak * (1.0 + std::cos(std::numbers::pi * done / all));
}

}  // namespace hiple::engine
