#include "table/split_column.hpp"

#include "base/text.hpp"
#include "table/cell_reader.hpp"

namespace hiple {

std::size_t find_column(const Schema& all, const std::string& name, const std::string& key, const Place& place) {
  const auto index = all.find(name);
  if (!index) {
    std::vector<std::string> names;
    names.reserve(all.columns.size());
    for (const ColumnSchema& column : all.columns) names.push_back(column.name);
    throw InputError(place, "the split's " + key + " \"" + name + "\" is no column of the table", suggestion(name, names));
  }
  const ColumnSchema& schema = all.columns[*index];
  const bool has_values = schema.role == ColumnRole::input || schema.role == ColumnRole::label;
  if (!has_values || schema.type == ColumnType::real) {
    throw InputError(place, "the split's " + key + " \"" + name + "\" cannot divide rows",
                     has_values ? "it is a real number, and equality of reals means little"
                                : "its role is " + std::string(name_of(schema.role)) + ", and its values are not kept",
                     "name a category, boolean, integer or date with role input or label");
  }
  return *index;
}

SplitColumn find_column(const Table& table, const std::string& name, const std::string& key, const Place& place) {
  const std::size_t index = find_column(table.schema, name, key, place);
  return {&table.schema.columns[index], &table.columns[index]};
}

std::optional<double> value_of(const SplitColumn& column, const std::string& text) {
  const CellReader reader(*column.schema);
  return std::visit(
      [&]<class T>(const std::vector<T>&) -> std::optional<double> {
        T value{};
        if (reader.read(text, value) != CellReader::Outcome::known) return std::nullopt;
        return static_cast<double>(value);
      },
      column.column->values);
}

void refuse_value(const SplitConfig& split, const ColumnSchema& schema, const std::string& text, Problems& problems) {
  problems.add(split.place, "the split's value \"" + text + "\" of column \"" + schema.name + "\"",
               "the column's type is " + std::string(name_of(schema.type)) + ", which cannot hold it",
               suggestion(text, schema.values));
}

}  // namespace hiple
