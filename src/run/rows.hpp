#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "table/table.hpp"

namespace hiple {

/// The columns that an engine's condition `cases` reads. Throws InputError at the condition's place: syntax, unknown names,
/// types, a column that is no input.
std::set<std::string> condition_columns(const EngineConfig& engine, const Schema& schema);

/// The rows that an engine's condition `cases` selects: those where it is TRUE, ascending.
std::vector<std::uint32_t> rows_of(const RunConfig& config, const EngineConfig& engine, const Table& table);

}  // namespace hiple
