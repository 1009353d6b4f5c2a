#include "scaling/strategy/independent_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/plan.hpp"

namespace hiple::scaling {

std::vector<std::uint64_t> engine_steps(std::uint64_t engines, std::uint64_t steps, double spread) {
  std::vector<std::uint64_t> result(engines, steps);
  for (std::uint64_t i = 1; i < engines; ++i) {
    const double share = std::pow(spread, -static_cast<double>(i) / static_cast<double>(engines - 1));
    result[i] = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(steps))));
  }
  return result;
}

std::vector<std::vector<std::size_t>> place_engines(const std::vector<std::uint64_t>& steps, int ranks) {
  std::vector<EngineCost> costs;
  for (std::size_t i = 0; i < steps.size(); ++i) costs.push_back({fmt::format("engine{:06}", i), static_cast<double>(steps[i])});
  auto engines = make_plan(costs, ranks + 1).engines;
  engines.pop_back();
  return engines;
}

}  // namespace hiple::scaling
