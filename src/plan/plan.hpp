#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hiple {

/// What a plan needs to know of an engine.
struct EngineCost {
  std::string name;
  double cost = 0;  ///< any unit: rows x epochs x parameters
};

/// Who trains what. A pure function of its input: every rank computes the same plan and nobody has to send it.
struct Plan {
  int ranks = 1;
  int integrator = 0;                             ///< the last rank
  std::vector<std::vector<std::size_t>> engines;  ///< of each rank, indices into the input, longest first
};

/// Longest processing time first (Graham 1969), ties by name, over ranks 0 .. ranks-2; one rank alone does everything.
Plan make_plan(const std::vector<EngineCost>& engines, int ranks);

}  // namespace hiple
