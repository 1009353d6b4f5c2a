#pragma once

#include <vector>

#include "table/schema.hpp"

namespace hiple {

/// Adds a problem for each name that stands twice among the columns, and for each series that has the name of a column.
void check_names(const std::vector<ColumnSchema>& columns, const std::vector<ColumnSchema>& series, Problems& problems);

/// Adds a problem for an id that is no whole number, and for each one beyond the first.
void check_id(const std::vector<ColumnSchema>& columns, Problems& problems);

}  // namespace hiple
