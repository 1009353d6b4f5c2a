#pragma once

#include <optional>
#include <string>

#include "config/run_config.hpp"
#include "table/table.hpp"

/// The columns that divide rows.
namespace hiple {

/// A split column and its description.
struct SplitColumn {
  const ColumnSchema* schema;
  const Column* column;
};

/// Where it stands in the schema. `key`: what the split calls it. Throws InputError at `place` where it cannot divide rows.
std::size_t find_column(const Schema& all, const std::string& name, const std::string& key, const Place& place);
SplitColumn find_column(const Table& table, const std::string& name, const std::string& key, const Place& place);

/// A listed value as the number that the column's cells hold; nothing where its type cannot hold it.
std::optional<double> value_of(const SplitColumn& column, const std::string& text);
void refuse_value(const SplitConfig& split, const ColumnSchema& schema, const std::string& text, Problems& problems);

}  // namespace hiple
