// How fast tables are read: bench_table [ROWS] [FOLDER]. Writes ROWS x 30 columns of mixed types (one id, 15 reals, 5 integers,
// 4 categories, 3 booleans, 2 dates, 5 % missing) as CSV and as HDF5, and reads both back, three times each.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>

#include "base/philox.hpp"
#include "base/text.hpp"
#include "table/cell_reader.hpp"
#include "table/table_writer.hpp"

namespace hiple {
namespace {

Schema make_schema() {
  Schema schema;
  const auto add = [&](std::string name, ColumnType type, ColumnRole role = ColumnRole::input) {
    ColumnSchema column;
    column.name = std::move(name);
    column.type = type;
    column.role = role;
    if (type == ColumnType::category) column.values = {"red", "green", "blue", "other"};
    schema.columns.push_back(std::move(column));
  };
  add("case", ColumnType::integer, ColumnRole::id);
  for (int i = 0; i < 15; ++i) add("real" + std::to_string(i), ColumnType::real);
  for (int i = 0; i < 5; ++i) add("integer" + std::to_string(i), ColumnType::integer);
  for (int i = 0; i < 4; ++i) add("category" + std::to_string(i), ColumnType::category);
  for (int i = 0; i < 3; ++i) add("boolean" + std::to_string(i), ColumnType::boolean);
  for (int i = 0; i < 2; ++i) add("date" + std::to_string(i), ColumnType::date);
  return schema;
}

/// Numbers as they stand in real tables: a few digits behind the point.
double draw_real(PhiloxStream& random) { return std::round(random.next_normal() * 1e5) / 1e3; }

Table make_portion(const Schema& schema, std::uint64_t first, std::uint64_t rows, PhiloxStream& random) {
  Table table;
  table.schema = schema;
  for (std::uint64_t i = 0; i < rows; ++i) table.case_id.push_back(first + i);
  for (const ColumnSchema& description : schema.columns) {
    Column column = make_column(description);
    for (std::uint64_t i = 0; i < rows && description.role != ColumnRole::id; ++i) {
      const bool missing = random.next_below(20) == 0;
      column.cells.push_back(missing ? Cell::missing : Cell::known);
      std::visit(
          [&]<class T>(std::vector<T>& values) {
            const double real = draw_real(random);
            if (missing)
              values.push_back(T{});
            else if (description.type == ColumnType::real)
              values.push_back(static_cast<T>(real));
            else if (description.type == ColumnType::integer)
              values.push_back(static_cast<T>(random.next_below(100000)));
            else if (description.type == ColumnType::date)
              values.push_back(static_cast<T>(random.next_below(20000)));
            else
              values.push_back(static_cast<T>(random.next_below(description.type == ColumnType::boolean ? 2 : 4)));
          },
          column.values);
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void write(TableWriter& writer, const Schema& schema, std::uint64_t rows) {
  PhiloxStream random(Philox(1, "bench_table"), 0, 0, 0);
  constexpr std::uint64_t portion = 50000;
  for (std::uint64_t first = 1; first <= rows; first += portion) {
    writer.append(make_portion(schema, first, std::min(portion, rows + 1 - first), random));
  }
  writer.finish();
}

void measure(const std::filesystem::path& path, const Schema& schema) {
  const auto megabytes = static_cast<double>(std::filesystem::file_size(path)) * 1e-6;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy_start = std::clock();
    const Table table = read_table(path, schema);
    const double seconds = seconds_since(start);
    const double busy = static_cast<double>(std::clock() - busy_start) / CLOCKS_PER_SEC;
    fmt::print("{}: {} rows x {} columns, {:.1f} MB: {:.3f} s, {:.0f} MB/s; {:.3f} s of one processor\n",
               path.filename().string(), table.rows(), schema.columns.size(), megabytes, seconds, megabytes / seconds, busy);
  }
}

void measure_both(const std::filesystem::path& folder, std::uint64_t rows) {
  const Schema schema = make_schema();
  const std::filesystem::path csv = folder / "bench_table.csv", h5 = folder / "bench_table.h5";
  write(*write_csv_table(csv, schema), schema, rows);
  measure(csv, schema);
  std::filesystem::remove(csv);
  write(*write_h5_table(h5, schema), schema, rows);
  measure(h5, schema);
  std::filesystem::remove(h5);
}

}  // namespace
}  // namespace hiple

int main(int argc, char** argv) {
  const std::uint64_t rows = argc > 1 ? hiple::parse_unsigned(argv[1]).value_or(0) : 1000000;
  if (rows == 0) {
    fmt::print(stderr, "usage: hiple-bench-table [ROWS] [FOLDER]\n");
    return 2;
  }
  try {
    hiple::measure_both(argc > 2 ? argv[2] : std::filesystem::temp_directory_path(), rows);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
