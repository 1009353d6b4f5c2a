#pragma once

#include "config/run_config.hpp"
#include "table/schema.hpp"

namespace hiple {

/// Adds the problems of the series that an engine reads: a point named beside its series, and of a conv1d no series at all,
/// series of different lengths, and convolutions that read more points than are left for them.
void check_series(const EngineConfig& engine, const Schema& schema, Problems& problems);

}  // namespace hiple
