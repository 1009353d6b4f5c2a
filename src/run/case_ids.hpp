#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// The column of a schema that says which cases there are at the least cost: the ids, or the first one. A reader that is asked
/// for no column would read all.
std::string column_of_ids(const Schema& schema);

/// The ids of all cases of a run's table, ascending. Throws InputError as read_table() does.
std::vector<std::uint64_t> read_case_ids(const PreparedRun& run);

/// Names the first three ids and counts the rest. There must be one.
std::string ids_text(const std::vector<std::uint64_t>& ids);

}  // namespace hiple
