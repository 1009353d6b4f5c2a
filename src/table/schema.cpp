#include "table/schema.hpp"

#include <algorithm>

namespace hiple {

std::optional<std::size_t> Schema::find(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnSchema& column) { return column.name == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<std::string> Schema::names(ColumnRole role) const {
  std::vector<std::string> result;
  for (const ColumnSchema& column : columns) {
    if (column.role == role) result.push_back(column.name);
  }
  return result;
}

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return "real";
    case ColumnType::integer:
      return "integer";
    case ColumnType::category:
      return "category";
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::date:
      return "date";
  }
  return "unknown";
}

std::string_view name_of(ColumnRole role) {
  switch (role) {
    case ColumnRole::input:
      return "input";
    case ColumnRole::label:
      return "label";
    case ColumnRole::id:
      return "id";
    case ColumnRole::ignore:
      return "ignore";
  }
  return "unknown";
}

}  // namespace hiple
