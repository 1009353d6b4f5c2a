#include "table/schema_checks.hpp"

#include <map>
#include <string>

namespace hiple {

void check_names(const std::vector<ColumnSchema>& columns, const std::vector<ColumnSchema>& series, Problems& problems) {
  std::map<std::string, Place> seen;
  std::string told;  // a place: of a series that stands twice one point is enough
  const auto refuse = [&](const ColumnSchema& column, const Place& first) {
    if (column.name.empty() || column.place.text() == told) return;
    problems.add(column.place, "column \"" + column.name + "\" stands twice", "first at " + first.text(), "rename or remove one");
    told = column.place.text();
  };
  for (const ColumnSchema& column : columns) {
    const auto [first, is_new] = seen.emplace(column.name, column.place);
    if (!is_new) refuse(column, first->second);
  }
  for (const ColumnSchema& whole : series) {
    const auto column = seen.find(whole.name);
    if (column != seen.end()) refuse(whole, column->second);
  }
}

void check_id(const std::vector<ColumnSchema>& columns, Problems& problems) {
  const ColumnSchema* first = nullptr;
  for (const ColumnSchema& column : columns) {
    if (column.role != ColumnRole::id) continue;
    if (column.type != ColumnType::integer) {
      problems.add(column.place, "the type of id column \"" + column.name + "\" is " + std::string(name_of(column.type)),
                   "a case id is a whole number", "write type: integer");
    }
    if (first != nullptr) {
      problems.add(column.place, "\"" + column.name + "\" is a second id column", "the first is at " + first->place.text(),
                   "give one of them another role");
    }
    if (first == nullptr) first = &column;
  }
}

}  // namespace hiple
