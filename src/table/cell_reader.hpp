#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "table/schema.hpp"
#include "table/table.hpp"

namespace hiple {

/// Reads one column's cells from texts, as the schema describes them.
class CellReader {
 public:
  enum class Outcome : std::uint8_t { known, missing, invalid, unreadable };

  /// Keeps a reference to `schema`.
  explicit CellReader(const ColumnSchema& schema);

  /// The value of a text: a double, an int64, a category's code, a boolean's 0 or 1, or a date's days, by the column's type.
  /// Missing and invalid cells leave `value` at zero. Unreadable: no such number, boolean or date; see why_unreadable().
  Outcome read(std::string_view text, double& value) const;
  Outcome read(std::string_view text, std::int64_t& value) const;
  Outcome read(std::string_view text, std::int32_t& value) const;
  Outcome read(std::string_view text, std::uint8_t& value) const;

  /// Whether a number lies in the schema's range; NaN lies in none.
  [[nodiscard]] bool in_range(double value) const { return value >= low_ && value <= high_; }
  /// "a real number is a decimal such as -1.5e3 ...": for messages.
  [[nodiscard]] std::string why_unreadable() const;

 private:
  [[nodiscard]] bool is_missing_text(std::string_view text) const;
  [[nodiscard]] bool is_missing_number(double value) const;

  const ColumnSchema* schema_;
  double low_, high_;
  std::vector<double> missing_numbers_;  ///< so that -999 also stands for -999.0
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

/// A column without rows, with the right kind of values.
Column make_column(const ColumnSchema& schema);

/// A cell's value as the text that the schema would read it from; empty unless known.
std::string text_of(const ColumnSchema& schema, const Column& column, std::size_t row);

}  // namespace hiple
