#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "table/table.hpp"

namespace hiple {

/// Reads a table portion by portion, in ascending order of case id. An HDF5 table whose ids ascend in the file, as our writers
/// leave them, is never in memory as a whole; any other is: CSV, whose records must be sorted and told apart first, and HDF5 in
/// another order.
class TableStream {
 public:
  /// Throws InputError as read_table() does; what is wrong with cells of an HDF5 table only when they are read.
  TableStream(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted = {});
  ~TableStream();
  TableStream(TableStream&&) noexcept;

  [[nodiscard]] std::uint64_t rows() const;
  /// Whether the whole table is in memory.
  [[nodiscard]] bool in_memory() const;
  /// The next `most` rows, or as many as are left; without rows at the end.
  Table next(std::size_t most);
  /// Back to the first row.
  void restart();
  /// All rows; nothing can be read any more.
  Table take_whole();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple
