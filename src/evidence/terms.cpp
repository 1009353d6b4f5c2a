#include "evidence/terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/date.hpp"
#include "base/text.hpp"
#include "condition/unit.hpp"
#include "condition/unit_remedy.hpp"
#include "table/cell_reader.hpp"

namespace hiple::evidence {

namespace {

constexpr double rounding = 1e-12;                  // of one conversion of units, relative
constexpr double largest_exact = 9007199254740992;  // 2^53: what a double counts exactly

std::string in_quotes(const std::string& text) { return "\"" + printable(text) + "\""; }

bool is_number(const ColumnSchema& subject) { return subject.type == ColumnType::real || subject.type == ColumnType::integer; }

Value refuse(std::string what, std::string why = {}, std::string remedy = {}) {
  return {std::nullopt, std::move(what), std::move(why), std::move(remedy), false};
}

Value refuse_unit(std::string what, std::string why, std::string remedy) {
  return {std::nullopt, std::move(what), std::move(why), std::move(remedy), true};
}

/// From the value's unit to the column's; a problem where they do not go together.
Value conversion_problem(const ColumnSchema& subject, const std::string& unit, condition::Conversion& conversion) {
  if (unit == subject.unit) return {};
  if (subject.unit.empty())
    return refuse_unit("the unit " + in_quotes(unit), subject.name + " has none in the schema", "leave it out");
  if (unit.empty())
    return refuse_unit("a value of " + subject.name + " without a unit", "the schema has it in " + subject.unit,
                       "write the unit that the value was measured in");
  const auto from = condition::parse_unit(unit), to = condition::parse_unit(subject.unit);
  if (!from) return refuse_unit(in_quotes(unit) + " is no unit", {}, condition::unit_remedy(unit));
  if (!to || !from->same_dimension(*to))
    return refuse_unit("the unit " + unit + " cannot be converted to " + subject.unit, "they do not measure the same",
                       subject.name + " is in " + subject.unit + " in the schema");
  conversion = condition::conversion(*from, *to);
  return {};
}

std::string range_text(const ColumnSchema& subject) {
  const auto end = [&](const std::optional<double>& value, const char* none) {
    return value ? value_text(subject, *value) : std::string(none);
  };
  return "from " + end(subject.low, "anything") + " to " + end(subject.high, "anything");
}

Value in_range(const ColumnSchema& subject, double number) {
  const bool low = !subject.low || number >= *subject.low, high = !subject.high || number <= *subject.high;
  if (low && high) return {number, {}, {}, {}, false};
  return refuse(subject.name + " cannot be " + value_text(subject, number), "the schema has it " + range_text(subject),
                "correct the value, or the schema's range");
}

bool is_missing_code(const ColumnSchema& subject, const std::string& text) {
  return std::find(subject.missing.begin(), subject.missing.end(), text) != subject.missing.end();
}

Value read_number(const ColumnSchema& subject, const std::string& text, const std::string& unit) {
  condition::Conversion conversion;
  if (Value problem = conversion_problem(subject, unit, conversion); !problem.what.empty()) return problem;
  const CellReader reader(subject);
  const auto number = parse_real(text);
  const bool whole = subject.type == ColumnType::integer;
  if (!number || (whole && conversion.identity() && !parse_integer(text)))
    return refuse(subject.name + " cannot be " + in_quotes(text), reader.why_unreadable(), "correct it");
  const double converted = conversion.identity() ? *number : *number * conversion.scale + conversion.offset;
  if (whole && (converted != std::floor(converted) || std::abs(converted) > largest_exact))
    return refuse(subject.name + " cannot be " + format_real(converted), "it is a whole number of at most 2^53 in the schema",
                  "correct the value, or its unit");
  return in_range(subject, converted);
}

template <class T>
Value read_other(const ColumnSchema& subject, const std::string& text) {
  const CellReader reader(subject);
  T value{};
  switch (reader.read(text, value)) {
    case CellReader::Outcome::known:
      return {static_cast<double>(value), {}, {}, {}, false};
    case CellReader::Outcome::invalid:
      if (subject.type == ColumnType::date) return in_range(subject, parse_date(text).value_or(0));
      return refuse(subject.name + " cannot be " + in_quotes(text), {}, suggestion(text, subject.values));
    default:
      return refuse(subject.name + " cannot be " + in_quotes(text), reader.why_unreadable(), "correct it");
  }
}

}  // namespace

Terms::Terms(const Schema& schema, const std::vector<QuestionTerms>& questions, std::vector<std::string> rules)
    : rules_(std::move(rules)) {
  for (const ColumnSchema& column : schema.columns) {
    if (column.role == ColumnRole::input)
      subjects_.emplace(column.name, column);
    else
      hidden_.emplace(column.name, name_of(column.role));
  }
  for (const QuestionTerms& question : questions) {
    ColumnSchema subject;
    subject.name = question.name;
    subject.type = ColumnType::category;
    subject.values = question.findings;
    if (!subjects_.emplace(question.name, std::move(subject)).second) ambiguous_.push_back(question.name);
  }
  for (const std::string& name : ambiguous_) subjects_.erase(name);
}

const ColumnSchema* Terms::find(std::string_view about) const {
  const auto found = subjects_.find(about);
  return found == subjects_.end() ? nullptr : &found->second;
}

Terms::Unknown Terms::why_unknown(const std::string& about) const {
  if (std::find(ambiguous_.begin(), ambiguous_.end(), about) != ambiguous_.end())
    return {"it is the name of an input column and of a question", "rename the question in the law"};
  if (const auto hidden = hidden_.find(about); hidden != hidden_.end())
    return {"its role in the schema is \"" + hidden->second + "\"", "evidence is about input columns and questions of the law"};
  std::vector<std::string> names;
  names.reserve(subjects_.size());
  for (const auto& [name, subject] : subjects_) names.push_back(name);
  return {"it is neither an input column nor a question of the law", suggestion(about, names)};
}

Value read_value(const ColumnSchema& subject, const std::string& value, const std::string& unit) {
  if (is_missing_code(subject, value))
    return refuse(in_quotes(value) + " means that " + subject.name + " is missing", "what is not known is no evidence",
                  "leave the row out");
  if (is_number(subject)) return read_number(subject, value, unit);
  if (!unit.empty()) return refuse_unit("the unit " + in_quotes(unit), subject.name + " is no number", "leave it out");
  return subject.type == ColumnType::boolean ? read_other<std::uint8_t>(subject, value)
                                             : read_other<std::int32_t>(subject, value);
}

std::string value_text(const ColumnSchema& subject, double number) {
  const std::string unit = subject.unit.empty() ? "" : " " + subject.unit;
  switch (subject.type) {
    case ColumnType::real:
      return format_real(number) + unit;
    case ColumnType::integer:
      return std::abs(number) <= largest_exact ? std::to_string(static_cast<std::int64_t>(number)) + unit
                                               : format_real(number) + unit;
    case ColumnType::boolean:
      return number != 0 ? subject.true_texts.front() : subject.false_texts.front();
    case ColumnType::date:
      return format_date(static_cast<std::int32_t>(number));
    case ColumnType::category:
      break;
  }
  return subject.values.at(static_cast<std::size_t>(number));
}

bool is_same(const ColumnSchema& subject, double a, double b) {
  if (subject.type != ColumnType::real) return a == b;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

}  // namespace hiple::evidence
