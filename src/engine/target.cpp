#include "engine/target.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"

namespace hiple::engine {

namespace {

const ColumnSchema& schema_of(const Table& table, const std::string& column) {
  const auto index = table.schema.find(column);
  if (!index) throw InputError({table.schema.file.string(), 0, 0}, "no column \"" + column + "\"", "an engine's target names it");
  return table.schema.columns[*index];
}

std::vector<std::string> classes_of(const ColumnSchema& schema) {
  switch (schema.type) {
    case ColumnType::category:
      return schema.values;
    case ColumnType::boolean:
      return {"false", "true"};
    case ColumnType::real:
    case ColumnType::integer:
      return {};
    case ColumnType::date:
      break;
  }
  throw InputError(schema.place, "column \"" + schema.name + "\" is a date", "an engine's target is a class or a number",
                   "choose a category, boolean, real or integer column");
}

}  // namespace

Target make_target(const Table& table, const std::string& column) { return {column, classes_of(schema_of(table, column)), 0, 1}; }

std::vector<std::uint32_t> rows_with_target(const Table& table, const std::string& column, std::span<const std::uint32_t> rows) {
  const Column& values = table.column(column);
  std::vector<std::uint32_t> known;
  std::ranges::copy_if(rows, std::back_inserter(known),
                       [&](std::uint32_t row) { return values.cells[row] == Cell::known && std::isfinite(values.number(row)); });
  return known;
}

std::vector<std::uint32_t> target_classes(const Table& table, const Target& target, std::span<const std::uint32_t> rows) {
  const Column& column = table.column(target.column);
  const std::vector<std::string> texts = classes_of(schema_of(table, target.column));
  std::vector<std::uint32_t> of_code;
  for (const std::string& text : texts) {
    const auto found = std::ranges::find(target.classes, text);
    of_code.push_back(static_cast<std::uint32_t>(found - target.classes.begin()));
  }
  std::vector<std::uint32_t> classes;
  classes.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const auto code = static_cast<std::size_t>(column.number(row));
    const std::uint32_t value = of_code.at(code);
    if (value >= target.classes.size())
      throw Error("target " + target.column + ": \"" + texts[code] + "\" is no class of the engine");
    classes.push_back(value);
  }
  return classes;
}

std::vector<double> target_numbers(const Table& table, const Target& target, std::span<const std::uint32_t> rows) {
  const Column& column = table.column(target.column);
  std::vector<double> numbers;
  numbers.reserve(rows.size());
  for (const std::uint32_t row : rows) numbers.push_back(column.number(row));
  return numbers;
}

std::vector<double> class_weights(const std::string& rule, std::span<const std::uint32_t> row_classes, std::size_t classes) {
  std::vector<double> counts(classes, 0.0);
  for (const std::uint32_t value : row_classes) ++counts.at(value);
  const auto occurring = static_cast<double>(classes) - static_cast<double>(std::ranges::count(counts, 0.0));
  std::vector<double> weights;
  for (const double count : counts) {
    const double balanced = static_cast<double>(row_classes.size()) / (occurring * count);
    weights.push_back(count == 0 ? 0.0 : rule == "balanced" ? balanced : 1.0);
  }
  return weights;
}

}  // namespace hiple::engine
