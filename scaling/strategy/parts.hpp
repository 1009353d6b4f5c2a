#pragma once

#include <cstddef>
#include <vector>

#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// As MPI counts. Throws Error above 2147483647.
int message_count(std::size_t numbers);

/// Numbers divided among ranks, one after the other, as MPI's functions with counts and displacements want it.
struct Parts {
  std::vector<int> counts, places;

  [[nodiscard]] Range of(int rank) const {
    const auto i = static_cast<std::size_t>(rank);
    return {static_cast<std::size_t>(places[i]), static_cast<std::size_t>(counts[i])};
  }
};

/// As evenly as can be: parts differ by one number. At most 2147483647 numbers.
Parts divide(std::size_t numbers, int ranks);
/// Parts of these sizes.
Parts parts_of(const std::vector<std::size_t>& sizes);

}  // namespace hiple::scaling
