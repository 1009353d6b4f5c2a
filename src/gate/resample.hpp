#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "gate/share.hpp"

namespace hiple::gate {

/// The interval of a ratio of sums by drawing whole units with replacement (Efron, "Bootstrap methods: another look at the
/// jackknife", 1979): its 5 % and 95 % percentiles. `units`: of each case or cluster (count, n). A function of units and seed
/// alone; 2000 times, fewer where there are over 100,000 units, but 200 at least.
Resampled resample(const std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>& units, std::uint64_t seed);

}  // namespace hiple::gate
