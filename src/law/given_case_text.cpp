#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"
#include "law/explain_subject.hpp"
#include "law/given_case.hpp"
#include "law/model.hpp"

namespace hiple::law {

namespace {

/// In quotes unless YAML reads it back as the same text in a flow map.
std::string scalar(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const std::vector<std::string> words = {"true", "false", "null", "missing", "invalid", "contradictory"};
  const bool is_word = std::find(words.begin(), words.end(), text) != words.end();
  if (!text.empty() && !is_word && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string cell_text(const ColumnSchema& schema, const Column& column) {
  if (column.cells[0] == Cell::missing) return "null";
  if (column.cells[0] == Cell::invalid) return condition::is_evidence_name(schema.name) ? "contradictory" : "invalid";
  const double number = column.number(0);
  switch (schema.type) {
    case ColumnType::real:
      return format_real(number);
    case ColumnType::integer:
      return std::to_string(static_cast<std::int64_t>(number));
    case ColumnType::boolean:
      return number != 0 ? "true" : "false";
    case ColumnType::category:
      return scalar(schema.values.at(static_cast<std::size_t>(number)));
    case ColumnType::date:
      return format_date(static_cast<std::int32_t>(number));
  }
  return {};
}

std::string judged_text(const Judgments& judgments) {
  if (judgments.classes.empty())
    return "{value: " + format_float(judgments.value[0]) + ", typicality: " + format_float(judgments.typicality[0]) + "}";
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < judgments.classes.size(); ++i)
    if (judgments.probability[i] > 0)
      entries.push_back(scalar(judgments.classes[i]) + ": " + format_float(judgments.probability[i]));
  const std::string probability = "{" + join(entries, ", ") + "}";
  const auto best = std::max_element(judgments.probability.begin(), judgments.probability.end());
  const bool usual = judgments.label[0] == best - judgments.probability.begin() && judgments.confidence[0] == *best &&
                     judgments.typicality[0] == 0.5F;
  if (usual) return probability;
  return "{label: " + scalar(judgments.classes[judgments.label[0]]) + ", confidence: " + format_float(judgments.confidence[0]) +
         ", typicality: " + format_float(judgments.typicality[0]) + ", probability: " + probability + "}";
}

std::string judgment_text(const Judgments* judgments) {
  if (judgments == nullptr) return "unavailable";
  if (judgments->status[0] == JudgmentStatus::invalid) return "invalid";
  if (judgments->status[0] == JudgmentStatus::abstained)
    return judgments->typicality[0] == 0.5F ? std::string("abstained")
                                            : "{status: abstained, typicality: " + format_float(judgments->typicality[0]) + "}";
  return judged_text(*judgments);
}

/// Whether a reader takes the same from nothing.
bool is_left_out(const ColumnSchema& schema, const Column& column) {
  if (schema.type != ColumnType::boolean || condition::is_evidence_name(schema.name)) return column.cells[0] == Cell::missing;
  return column.cells[0] == Cell::known && column.number(0) == 0;
}

std::string write(const Law::Model& law, const GivenCase& given, bool all) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < law.columns.size(); ++i) {
    if (!law.column_is_read[i] || (!all && is_left_out(law.column_schemas[i], given.table.columns[i]))) continue;
    entries.push_back((law.is_evidence(i) ? law.columns[i] : scalar(law.columns[i])) + ": " +
                      cell_text(law.column_schemas[i], given.table.columns[i]));
  }
  for (std::size_t i = 0; i < law.engines.size(); ++i)
    if (all || given.judgments[i] != nullptr)
      entries.push_back(scalar(law.engines[i].name) + ": " + judgment_text(given.judgments[i].get()));
  return "{" + join(entries, ", ") + "}";
}

}  // namespace

std::string to_yaml(const Law::Model& law, const GivenCase& given) { return write(law, given, true); }
std::string to_short_yaml(const Law::Model& law, const GivenCase& given) { return write(law, given, false); }

}  // namespace hiple::law
