#include "table/take_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace hiple {

namespace {

/// Few rows of many lie in a cache line of memory each: what is read soon is asked for now.
template <class T>
std::vector<T> gather(const std::vector<T>& values, std::span<const std::uint32_t> rows) {
  constexpr std::size_t ahead = 32;
  std::vector<T> some(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + ahead < rows.size()) __builtin_prefetch(values.data() + rows[i + ahead]);
    some[i] = values[rows[i]];
  }
  return some;
}

Table take(const Table& table, std::span<const std::uint32_t> rows, const std::vector<std::string>* wanted) {
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end() ||
      (!rows.empty() && rows.back() >= table.rows()))
    throw Error("rows of a table must ascend and exist");
  Table taken;
  taken.schema = table.schema;
  taken.text_of_invalid = table.text_of_invalid;
  taken.case_id.reserve(rows.size());
  for (const std::uint32_t row : rows) taken.case_id.push_back(table.case_id[row]);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    Column& part = taken.columns.emplace_back();
    if (wanted != nullptr && std::find(wanted->begin(), wanted->end(), table.schema.columns.at(i).name) == wanted->end())
      continue;
    std::visit(
        [&]<class T>(const std::vector<T>& values) { part.values = values.empty() ? std::vector<T>() : gather(values, rows); },
        column.values);
    if (column.cells.empty()) continue;
    part.cells = gather(column.cells, rows);
  }
  return taken;
}

}  // namespace

Table take_rows(const Table& table, std::span<const std::uint32_t> rows) { return take(table, rows, nullptr); }

Table take_rows(const Table& table, std::span<const std::uint32_t> rows, const std::vector<std::string>& columns) {
  return take(table, rows, &columns);
}

}  // namespace hiple
