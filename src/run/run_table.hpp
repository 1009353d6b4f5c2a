#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "table/split.hpp"
#include "table/table.hpp"

namespace hiple {

/// The table of a run as whoever integrates needs it: in memory, or a portion of cases after the other, with the evidence that
/// the law reads beside it.
class RunTable {
 public:
  /// Looks at every row once: hashes the columns that engines and law read, and divides the rows. A table is in memory where it
  /// has at most `most` cases, is no HDF5 table in the order of its case ids, or engines judge it on demand; portions have as
  /// many cases, a multiple of 4096. Throws InputError: what read_table() and divide() refuse.
  explicit RunTable(const PreparedRun& run, std::size_t most = usual_most, int threads = 1);
  ~RunTable();
  RunTable(const RunTable&) = delete;
  RunTable& operator=(const RunTable&) = delete;

  static constexpr std::size_t usual_most = std::size_t{64} * 4096;

  [[nodiscard]] bool in_memory() const;
  /// Throws Error where it is not in memory.
  [[nodiscard]] const Table& whole() const;
  /// slice_sha256() of columns that engines or law read, as they were at the first look.
  [[nodiscard]] std::string slice(const std::vector<std::string>& columns);

  /// From the first case on again.
  void restart();
  /// The next cases, with all columns; null at the end. Valid until the next call.
  const Table* next();
  /// The parts of the cases of the last portion; test cases that an engine learned from are in neither (withhold_learned()).
  [[nodiscard]] const std::vector<Part>& parts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple
