#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// Rows of a table: an HDF5 table knows them; of CSV they are reckoned from its size and the lines at its head.
std::uint64_t about_rows(const std::filesystem::path& table);

/// About how large a run is, in bytes. The programs themselves, MPI and what a command takes are not counted.
struct RunSize {
  std::uint64_t rows = 0;
  std::uint64_t disk = 0;               ///< what the run's directory holds at its end
  std::vector<std::uint64_t> training;  ///< memory of each engine's process: its columns of the table, and what training takes
  std::uint64_t deciding = 0;           ///< memory of the last rank: judgments, the law's columns and decisions
};
RunSize run_size(const PreparedRun& run);

}  // namespace hiple
