#pragma once

#include <string>
#include <utility>

#include "table/schema.hpp"

namespace hiple::data {

/// A column's name, type and role, and the unit of a quantity; ranges and values are added by who needs them.
inline ColumnSchema describe(std::string name, ColumnType type, ColumnRole role, std::string unit = {}) {
  ColumnSchema column;
  column.name = std::move(name);
  column.type = type;
  column.role = role;
  column.unit = std::move(unit);
  return column;
}

}  // namespace hiple::data
