#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/run_config.hpp"
#include "table/table.hpp"

namespace hiple {

enum class Part : std::uint8_t { neither, train, test };

/// That the columns which the split names can divide rows and can hold the values that it lists. Throws InputError.
void check_split(const Schema& schema, const SplitConfig& split);

class SplitWay;

/// Divides the rows of a table that comes in portions, in ascending order of case id. What it keeps does not grow with the rows,
/// but with the groups where rows are divided by group.
class Divider {
 public:
  /// Throws InputError as divide() does, but for what depends on rows.
  Divider(const Schema& schema, const SplitConfig& split, std::uint64_t seed);
  ~Divider();
  Divider(const Divider&) = delete;
  Divider& operator=(const Divider&) = delete;

  /// First every portion is looked at; then again, while end_pass() says so. Throws InputError: a listed value that no row has.
  void look_at(const Table& portion);
  [[nodiscard]] bool end_pass();
  /// The parts of a portion's rows, once all were looked at.
  std::vector<Part> divide(const Table& portion);
  /// Throws InputError where no row that was divided is in one of the parts.
  void refuse_empty() const;

 private:
  const SplitConfig split_;
  std::unique_ptr<SplitWay> way_;
  std::uint64_t rows_ = 0;
  bool has_train_ = false, has_test_ = false;
};

/// The part of every row of the table. The same for every engine, and a function of seed, split, case ids and the columns that
/// the split names alone: a test case of one engine is never a training case of another. Throws InputError at the split's
/// place in run.yaml: unknown column, a listed value that no row has, a part that stays empty.
std::vector<Part> divide(const Table& table, const SplitConfig& split, std::uint64_t seed);

}  // namespace hiple
