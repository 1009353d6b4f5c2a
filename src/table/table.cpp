#include "table/table.hpp"

#include <numeric>

#include "base/text.hpp"

namespace hiple {

double Column::number(std::size_t row) const {
  return std::visit([&](const auto& array) { return static_cast<double>(array[row]); }, values);
}

const Column& Table::column(std::string_view name) const {
  if (const auto index = schema.find(name)) return columns[*index];
  std::vector<std::string> names;
  names.reserve(schema.columns.size());
  for (const ColumnSchema& column : schema.columns) names.push_back(column.name);
  throw Error("the table has no column \"" + std::string(name) + "\": " + suggestion(name, names));
}

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

}  // namespace hiple
