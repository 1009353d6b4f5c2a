#include <vector>

#include "feeding.hpp"
#include "table/csv_reader.hpp"
#include "table/table.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

using Records = std::vector<std::vector<std::string>>;

Records records_of(const std::filesystem::path& path) {
  Records records;
  CsvReader reader(path);
  while (reader.next()) {
    records.emplace_back(reader.fields().begin(), reader.fields().end());
    for (std::size_t field = 0; field <= records.back().size(); ++field)
      check(reader.place_of(field).line >= reader.place().line, "no field lies before its record");
  }
  return records;
}

/// Every field in quotes.
std::string quoted(const Records& records) {
  std::string text;
  for (const auto& record : records) {
    for (const std::string& field : record) {
      text += text.empty() || text.back() == '\n' ? "\"" : ",\"";
      for (const char byte : field) text += byte == '"' ? std::string("\"\"") : std::string(1, byte);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

Schema schema_of_every_type() {
  Schema schema;
  const auto add = [&](const char* name, ColumnType type, ColumnRole role = ColumnRole::input) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = name;
    column.type = type;
    column.role = role;
    column.missing = {"?"};
  };
  add("id", ColumnType::integer, ColumnRole::id);
  add("x", ColumnType::real);
  schema.columns.back().low = -1;
  schema.columns.back().high = 1e300;
  add("n", ColumnType::integer);
  add("c", ColumnType::category);
  schema.columns.back().values = {"a", "b b", ""};
  add("b", ColumnType::boolean);
  add("d", ColumnType::date);
  add("note", ColumnType::category, ColumnRole::ignore);
  return schema;
}

}  // namespace

void feed_table(std::string_view input) {
  const auto path = file_with("table.csv", input);
  refusing([&] {
    const Records records = records_of(path);
    const auto again =
        accepting("every field in quotes can be read", [&] { return records_of(file_with("quoted.csv", quoted(records))); });
    check(again == records, "every field in quotes is the same records");
  });
  refusing([&] {
    static const Schema schema = schema_of_every_type();
    const Table table = read_table(path, schema);
    for (std::size_t row = 1; row < table.rows(); ++row) check(table.case_id[row - 1] < table.case_id[row], "case ids ascend");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      if (schema.columns[i].role != ColumnRole::input) continue;
      check(column.cells.size() == table.rows(), "every row has a cell");
      for (std::size_t row = 0; row < table.rows(); ++row) {
        if (column.cells[row] != Cell::known || !schema.columns[i].high) continue;
        check(column.number(row) >= -1 && column.number(row) <= 1e300, "a known cell lies in its range");
      }
    }
  });
}

}  // namespace hiple::fuzz
