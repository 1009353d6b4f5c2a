#include "feeding.hpp"
#include "table/schema.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

void feed_schema(std::string_view input) {
  refusing([&] {
    const Schema schema = load_schema(file_with("schema.yaml", input));
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const ColumnSchema& column = schema.columns[i];
      check(schema.find(column.name) == i, "every column is found by its name");
      check(column.type != ColumnType::category || column.role == ColumnRole::ignore || !column.values.empty(),
            "a category has values");
      check(!column.low || !column.high || *column.low <= *column.high, "no range is upside down");
    }
    check(schema.names(ColumnRole::id).size() <= 1, "there is one id column at most");
  });
}

}  // namespace hiple::fuzz
