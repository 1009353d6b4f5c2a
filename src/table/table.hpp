#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "table/schema.hpp"

namespace hiple {

/// What is known of a cell. A missing or invalid cell has no value: its number in the array is meaningless.
enum class Cell : std::uint8_t { known = 0, missing = 1, invalid = 2 };

/// One column of a table in memory.
struct Column {
  /// real: double; integer: int64; category: int32 code into ColumnSchema::values; boolean: uint8 0 or 1; date: int32 days.
  using Values =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>, std::vector<std::uint8_t>>;
  Values values;
  std::vector<Cell> cells;  ///< one a row

  /// The cell as a number, whatever its type; meaningless unless known.
  [[nodiscard]] double number(std::size_t row) const;
};

/// A table in memory, column by column, in ascending order of case id.
struct Table {
  Schema schema;
  std::vector<std::uint64_t> case_id;        ///< from the id column; without one, the row's number in the file, from 1
  std::vector<Column> columns;               ///< one a schema column, in its order; columns with role `ignore` stay empty
  std::vector<std::string> text_of_invalid;  ///< first few invalid cells as "FILE:LINE:COL: value", for messages

  [[nodiscard]] std::size_t rows() const { return case_id.size(); }
  /// Throws Error where there is no such column.
  [[nodiscard]] const Column& column(std::string_view name) const;
};

/// Reads a table, CSV or HDF5 by its content. `wanted`: only these columns and the id are kept (empty: all). Throws InputError
/// with file, line, column and value: unreadable cells, a wrong number of fields, missing or unknown columns, duplicate
/// ids. A value out of its range, or a category that the schema does not list, is an invalid cell, not an error.
Table read_table(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted = {});

/// The names in a table's header only (CSV's first record, or the HDF5 data sets): what `hiple check` can know without
/// reading all data. Checks that they match the schema.
void check_table_header(const std::filesystem::path& path, const Schema& schema);

/// 0 .. rows-1.
std::vector<std::uint32_t> all_rows(const Table& table);

/// Writes a table as HDF5 (format "hiple table"): /case_id, and for each column /columns/NAME with /cells/NAME.
void write_table(const std::filesystem::path& path, const Table& table);

}  // namespace hiple
