#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "table/table.hpp"

namespace hiple {

/// Writes a table portion by portion, so that it need not fit in memory. The file appears with finish(), or not at all.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  /// Rows with the writer's columns, in ascending order of case id over all portions. Throws Error where that is not so.
  virtual void append(const Table& portion) = 0;
  virtual void finish() = 0;

 protected:
  TableWriter() = default;
};

/// HDF5 as table_h5_names.hpp says. Columns with role `ignore` are left out.
std::unique_ptr<TableWriter> write_h5_table(const std::filesystem::path& path, const Schema& schema);

/// CSV with a header, LF, and quotes where a field needs them. A missing cell is an empty field. Throws Error at an invalid cell,
/// which has no text. Columns with role `ignore` are left out.
std::unique_ptr<TableWriter> write_csv_table(const std::filesystem::path& path, const Schema& schema);

}  // namespace hiple
