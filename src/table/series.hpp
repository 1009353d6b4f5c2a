#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/schema.hpp"

namespace hiple {

/// A series is columns whose names end in "_" and a number: NAME_00, NAME_01 and so on from 0, two at least, all with as many
/// digits. In schema.yaml one entry with a `length` stands for all of them:
///     - {name: PS1, type: real, unit: bar, length: 60}    # the columns PS1_00 to PS1_59

/// The points of such an entry, each with as many digits as the last one needs.
std::vector<ColumnSchema> points_of_series(const ColumnSchema& series, std::int64_t length);

/// The columns that a name stands for: that column, or the points of a series in their order. None where it is neither.
std::vector<const ColumnSchema*> columns_named(const Schema& schema, const std::string& name);

/// Names of columns for names of columns and series. A name that is neither stays as it is.
std::vector<std::string> with_points(const Schema& schema, std::span<const std::string> names);

/// The names of columns and of series with this role.
std::vector<std::string> names_with_series(const Schema& schema, ColumnRole role);

}  // namespace hiple
