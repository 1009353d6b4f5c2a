#pragma once

#include <cstdint>
#include <vector>

#include "config/run_config.hpp"
#include "plan/plan.hpp"
#include "table/schema.hpp"

namespace hiple {

/// What can be said of an engine before any data is read. A category counts with all values that the schema lists; an engine
/// whose training rows hold fewer is smaller.
struct EngineEstimate {
  std::uint64_t parameters = 0;
  std::uint64_t products = 0;  ///< of one case: its parameters, those of a convolution at each of its places
  std::uint64_t memory = 0;    ///< bytes: weights, gradients and both moments of Adam, 4 each in fp32
};
EngineEstimate estimate(const EngineConfig& engine, const Schema& schema);

/// Cost of each engine for the plan: epochs x products; the rows are the same table's for all. Needs no data, so that every
/// rank computes the same.
std::vector<EngineCost> engine_costs(const RunConfig& config, const Schema& schema);

/// The rank that the plan gives each of so many engines.
std::vector<int> ranks_of(const Plan& plan, std::size_t engines);

}  // namespace hiple
