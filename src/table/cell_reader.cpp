#include "table/cell_reader.hpp"

#include <algorithm>
#include <limits>

#include "base/date.hpp"
#include "base/text.hpp"

namespace hiple {

CellReader::CellReader(const ColumnSchema& schema)
    : schema_(&schema),
      low_(schema.low.value_or(-std::numeric_limits<double>::infinity())),
      high_(schema.high.value_or(std::numeric_limits<double>::infinity())) {
  if (schema.type == ColumnType::real || schema.type == ColumnType::integer) {
    for (const std::string& text : schema.missing) {
      if (const auto number = parse_real(text)) missing_numbers_.push_back(*number);
    }
  }
  for (std::size_t i = 0; i < schema.values.size(); ++i) codes_.emplace(schema.values[i], static_cast<std::int32_t>(i));
}

bool CellReader::is_missing_text(std::string_view text) const {
  return text.empty() || std::find(schema_->missing.begin(), schema_->missing.end(), text) != schema_->missing.end();
}

bool CellReader::is_missing_number(double value) const {
  return std::find(missing_numbers_.begin(), missing_numbers_.end(), value) != missing_numbers_.end();
}

CellReader::Outcome CellReader::read(std::string_view text, double& value) const {
  value = 0;
  if (is_missing_text(text)) return Outcome::missing;
  const auto number = parse_real(text);
  if (!number) return Outcome::unreadable;
  if (is_missing_number(*number)) return Outcome::missing;
  if (!in_range(*number)) return Outcome::invalid;
  value = *number;
  return Outcome::known;
}

CellReader::Outcome CellReader::read(std::string_view text, std::int64_t& value) const {
  value = 0;
  if (is_missing_text(text)) return Outcome::missing;
  const auto number = parse_integer(text);
  if (!number) return Outcome::unreadable;
  if (is_missing_number(static_cast<double>(*number))) return Outcome::missing;
  if (!in_range(static_cast<double>(*number))) return Outcome::invalid;
  value = *number;
  return Outcome::known;
}

CellReader::Outcome CellReader::read(std::string_view text, std::int32_t& value) const {
  value = 0;
  if (is_missing_text(text)) return Outcome::missing;
  if (schema_->type == ColumnType::category) {
    const auto code = codes_.find(text);
    if (code == codes_.end()) return Outcome::invalid;
    value = code->second;
    return Outcome::known;
  }
  const auto days = parse_date(text);
  if (!days) return Outcome::unreadable;
  if (!in_range(*days)) return Outcome::invalid;
  value = *days;
  return Outcome::known;
}

CellReader::Outcome CellReader::read(std::string_view text, std::uint8_t& value) const {
  value = 0;
  if (is_missing_text(text)) return Outcome::missing;
  const auto is = [&](const std::vector<std::string>& texts) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  if (is(schema_->true_texts)) {
    value = 1;
    return Outcome::known;
  }
  return is(schema_->false_texts) ? Outcome::known : Outcome::unreadable;
}

std::string CellReader::why_unreadable() const {
  switch (schema_->type) {
    case ColumnType::real:
      return "a real number is a finite decimal such as -12.5 or 1e-3, without blanks";
    case ColumnType::integer:
      return "an integer is a row of at most 19 digits such as -12, without blanks, leading zeros or a point";
    case ColumnType::boolean:
      return "true is written " + join(schema_->true_texts, " or ") + ", false " + join(schema_->false_texts, " or ");
    case ColumnType::date:
      return "a date is written YYYY-MM-DD and has to be in the calendar";
    case ColumnType::category:
      break;
  }
  return {};
}

Column make_column(const ColumnSchema& schema) {
  switch (schema.type) {
    case ColumnType::real:
      return {std::vector<double>{}, {}};
    case ColumnType::integer:
      return {std::vector<std::int64_t>{}, {}};
    case ColumnType::boolean:
      return {std::vector<std::uint8_t>{}, {}};
    case ColumnType::category:
    case ColumnType::date:
      break;
  }
  return {std::vector<std::int32_t>{}, {}};
}

std::string text_of(const ColumnSchema& schema, const Column& column, std::size_t row) {
  if (column.cells[row] != Cell::known) return {};
  switch (schema.type) {
    case ColumnType::real:
      return format_real(std::get<std::vector<double>>(column.values)[row]);
    case ColumnType::integer:
      return std::to_string(std::get<std::vector<std::int64_t>>(column.values)[row]);
    case ColumnType::boolean:
      return std::get<std::vector<std::uint8_t>>(column.values)[row] != 0 ? schema.true_texts.front()
                                                                          : schema.false_texts.front();
    case ColumnType::category:
      return schema.values[static_cast<std::size_t>(std::get<std::vector<std::int32_t>>(column.values)[row])];
    case ColumnType::date:
      return format_date(std::get<std::vector<std::int32_t>>(column.values)[row]);
  }
  return {};
}

}  // namespace hiple
