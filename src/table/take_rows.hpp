#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/table.hpp"

namespace hiple {

/// A table of these rows alone, which ascend. Columns that were not read stay empty.
Table take_rows(const Table& table, std::span<const std::uint32_t> rows);

/// The same, with values in these columns only: others stay empty.
Table take_rows(const Table& table, std::span<const std::uint32_t> rows, const std::vector<std::string>& columns);

}  // namespace hiple
