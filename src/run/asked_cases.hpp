#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judgment/judgment.hpp"
#include "run/identity.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "table/table.hpp"

namespace hiple {

/// The columns that an engine's process reads: to train, and, where judging is on demand, to know whose home the engine is.
std::vector<std::string> columns_to_read(const PreparedRun& run, const EngineConfig& engine);

/// The rows that an engine is to have judged, ascending: all; where judging is on demand, those whose home it is and those of the
/// request that is open. `table` holds columns_to_read. Throws InputError: a request of other data or another configuration than
/// `identity`, or for a case that the table does not have.
std::vector<std::uint32_t> asked_rows(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                                      const Table& table, const Identity& identity);

/// Those among `rows` that the judgments, which are of the whole table, were not asked about.
std::vector<std::uint32_t> rows_not_judged(const Judgments& judgments, const std::vector<std::uint32_t>& rows);

/// Whether the engine has judged, and the law asks it for more.
bool has_request(const RunDirectory& directory, const std::string& engine);

}  // namespace hiple
