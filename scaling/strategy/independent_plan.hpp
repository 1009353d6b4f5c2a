#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hiple::scaling {

/// Steps of each of so many engines: the first trains `steps`, the last 1/spread of that, those between them in geometric
/// progression, and everyone one step at least. Engines are of one shape, so that steps are cost.
std::vector<std::uint64_t> engine_steps(std::uint64_t engines, std::uint64_t steps, double spread);

/// Which rank trains which engines: the plan of a run, but that every rank trains (a run's last one integrates).
std::vector<std::vector<std::size_t>> place_engines(const std::vector<std::uint64_t>& steps, int ranks);

}  // namespace hiple::scaling
