#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/schema.hpp"

namespace hiple::evidence {

/// A law's questions, as evidence names them.
struct QuestionTerms {
  std::string name;
  std::vector<std::string> findings;  ///< ascending
};

/// What evidence can speak of in one study.
class Terms {
 public:
  /// `rules`: ids of the law's rules and laws. A name that is both an input column and a question means neither.
  Terms(const Schema& schema, const std::vector<QuestionTerms>& questions, std::vector<std::string> rules);

  /// A column as the schema has it; a question as a category whose values are its findings. Null where there is none.
  [[nodiscard]] const ColumnSchema* find(std::string_view about) const;
  /// Why find() gives nothing, and what to do about it; for messages.
  struct Unknown {
    std::string why, remedy;
  };
  [[nodiscard]] Unknown why_unknown(const std::string& about) const;
  [[nodiscard]] const std::vector<std::string>& rules() const { return rules_; }

 private:
  std::map<std::string, ColumnSchema, std::less<>> subjects_;
  std::vector<std::string> ambiguous_, rules_;
  std::map<std::string, std::string, std::less<>> hidden_;  ///< columns of other roles
};

/// A value, or what is wrong with it.
struct Value {
  std::optional<double> number;  ///< in the column's unit; a category's index, a boolean's 0 or 1, a date's days
  std::string what, why, remedy;
  bool of_unit = false;  ///< the unit is wrong, not the value
};

/// Reads a value with its unit as what it is about has it: converted, in the schema's range, one of a category's values. A unit
/// is converted or refused, never ignored; none is refused where the column has one.
Value read_value(const ColumnSchema& subject, const std::string& value, const std::string& unit);

/// A value of read_value() as the schema would write it, with its unit: "7.2 mU/L", "hypo", "2026-01-31".
std::string value_text(const ColumnSchema& subject, double number);

/// Whether two values of one thing are the same: reals up to the rounding of a conversion, all else exactly.
bool is_same(const ColumnSchema& subject, double a, double b);

}  // namespace hiple::evidence
