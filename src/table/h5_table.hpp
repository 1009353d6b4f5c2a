#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "h5/h5.hpp"
#include "table/table.hpp"

namespace hiple::reading {

/// A table in HDF5, of which any rows can be read, in the order of the file.
class H5Table {
 public:
  /// `kept`: the schema of the columns that are wanted. Throws InputError: names, types or sizes do not fit the schema.
  H5Table(const std::filesystem::path& path, const Schema& schema, const Schema& kept);
  ~H5Table();
  H5Table(const H5Table&) = delete;
  H5Table& operator=(const H5Table&) = delete;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::vector<std::uint64_t> read_ids(std::size_t first, std::size_t count) const;
  /// Rows [first, first + count).
  [[nodiscard]] Table read(std::size_t first, std::size_t count, const std::function<void()>& beat = {}) const;

 private:
  struct Kept;
  void read_column(const Kept& kept, std::size_t first, std::size_t count, Table& table) const;

  h5::Reader file_;
  Schema schema_;
  std::size_t rows_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace hiple::reading
