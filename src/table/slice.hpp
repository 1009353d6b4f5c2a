#pragma once

#include <memory>
#include <span>
#include <string>

#include "table/table.hpp"

/// The hash of columns of a table, by which data are known again. Version 2 of its definition:
///
///     number(n)   8 bytes, little endian            text(t)  number(its length) and its bytes
///     slice       SHA-256 of text("hiple slice 2") number(columns) number(rows) ids, and column of each, in the order asked for
///     ids         SHA-256 of number(case id) of each row
///     column      SHA-256 of text(name) text(type) text(unit) number(values) text(value) of each value of a category, cells,
///     values cells       SHA-256 of one byte a row: 0 known, 1 missing, 2 invalid values      SHA-256 of the value of each row
///     as a table in HDF5 has it, little endian, zero where the cell is not known
///
/// ids, columns, cells and values enter as 32 bytes. A column is hashed by itself and as it lies in memory, so that several
/// slices of a table share the work, threads can share the columns, and a table that does not fit in memory can be hashed in
/// portions.
namespace hiple {

class SliceHasher {
 public:
  /// Throws Error where the schema lacks a column.
  SliceHasher(const Schema& schema, std::span<const std::string> columns);
  ~SliceHasher();
  SliceHasher(SliceHasher&&) noexcept;

  /// The next rows of the table.
  void append(const Table& portion, int threads = 1);
  /// The slice of some of the columns: 64 hexadecimal digits. Ends the rows: nothing may be appended any more.
  [[nodiscard]] std::string slice(std::span<const std::string> columns);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The slice of all rows.
std::string slice_sha256(const Table& table, std::span<const std::string> columns, int threads = 1);

}  // namespace hiple
