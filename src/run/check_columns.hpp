#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/run_config.hpp"
#include "table/schema.hpp"

namespace hiple {

/// Checks what run.yaml says of columns against the schema: features are inputs, targets are labels of a type that can be
/// learned, conditions read inputs only, the split names columns. Adds a problem at its place for each that is wrong.
void check_columns(const RunConfig& config, const Schema& schema, Problems& problems);

/// The columns that the conditions of an engine's entry read: which rows are its data, and which it learns from.
std::vector<std::string> columns_of_conditions(const EngineConfig& engine, const Schema& schema);

/// The columns that an engine reads to train: features, target, those of its conditions and of the split. Ascending and unique.
std::vector<std::string> columns_of(const RunConfig& config, const EngineConfig& engine, const Schema& schema);

}  // namespace hiple
