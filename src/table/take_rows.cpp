#include "table/take_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace hiple {

Table take_rows(const Table& table, std::span<const std::uint32_t> rows) {
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end() ||
      (!rows.empty() && rows.back() >= table.rows()))
    throw Error("rows of a table must ascend and exist");
  Table taken;
  taken.schema = table.schema;
  taken.text_of_invalid = table.text_of_invalid;
  taken.case_id.reserve(rows.size());
  for (const std::uint32_t row : rows) taken.case_id.push_back(table.case_id[row]);
  for (const Column& column : table.columns) {
    Column& part = taken.columns.emplace_back();
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          std::vector<T> some;
          if (!values.empty()) {
            some.reserve(rows.size());
            for (const std::uint32_t row : rows) some.push_back(values[row]);
          }
          part.values = std::move(some);
        },
        column.values);
    if (column.cells.empty()) continue;
    part.cells.reserve(rows.size());
    for (const std::uint32_t row : rows) part.cells.push_back(column.cells[row]);
  }
  return taken;
}

}  // namespace hiple
