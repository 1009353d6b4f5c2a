#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/table.hpp"

namespace hiple::engine {

/// What an engine learns to say: one of the classes, or a number.
struct Target {
  std::string column;
  std::vector<std::string> classes;  ///< a category's values in the schema's order; {"false", "true"}; empty for a regression
  double mean = 0, scale = 1;        ///< of a regression: the network predicts (number - mean) / scale

  [[nodiscard]] bool is_regression() const { return classes.empty(); }
  /// Width of the network's output.
  [[nodiscard]] std::size_t outputs() const { return is_regression() ? 1 : classes.size(); }
};

/// The target that a column describes: category or boolean for classes, real or integer for a regression. Throws InputError
/// for a date, and where there is no such column.
Target make_target(const Table& table, const std::string& column);

/// Those of the rows whose target is known.
std::vector<std::uint32_t> rows_with_target(const Table& table, const std::string& column, std::span<const std::uint32_t> rows);

/// The class of each row, as an index into classes. The rows' targets must be known. Throws Error where the table's category has
/// a text that is no class.
std::vector<std::uint32_t> target_classes(const Table& table, const Target& target, std::span<const std::uint32_t> rows);

/// The number to be predicted for each row, in the column's own unit.
std::vector<double> target_numbers(const Table& table, const Target& target, std::span<const std::uint32_t> rows);

/// Weight of each class: rows / (classes that occur * rows of the class), so that the mean over rows is 1 (`balanced`), or 1
/// (`none`). A class without rows weighs 0.
std::vector<double> class_weights(const std::string& rule, std::span<const std::uint32_t> row_classes, std::size_t classes);

}  // namespace hiple::engine
