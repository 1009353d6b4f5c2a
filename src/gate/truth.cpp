#include <algorithm>

#include "base/error.hpp"
#include "gate/figures.hpp"

namespace hiple::gate {

namespace {

/// The finding that each value of a truth column means: index into `findings`, or no_index where there is none.
std::vector<std::uint16_t> meanings(const TruthConfig& truth, const ColumnSchema& column,
                                    const std::vector<std::string>& findings) {
  const std::vector<std::string> values =
      column.type == ColumnType::boolean ? std::vector<std::string>{"false", "true"} : column.values;
  std::vector<std::uint16_t> result;
  for (const std::string& value : values) {
    const auto mapped = truth.findings.find(value);
    const std::string& finding = mapped == truth.findings.end() ? value : mapped->second;
    const auto found = std::find(findings.begin(), findings.end(), finding);
    if (found == findings.end())
      throw Error("column " + column.name + ": \"" + finding + "\" is no finding of " + truth.question);
    result.push_back(static_cast<std::uint16_t>(found - findings.begin()));
  }
  return result;
}

/// Writes the findings of one column into `target`, one every `stride`.
void fill(const TruthConfig& truth, const std::string& name, const std::vector<std::string>& findings, const Table& table,
          std::vector<std::uint16_t>& target, std::size_t question, std::size_t stride) {
  const auto index = table.schema.find(name);
  if (!index) throw Error("the table has no column " + name);
  const ColumnSchema& schema = table.schema.columns[*index];
  if (schema.type != ColumnType::category && schema.type != ColumnType::boolean)
    throw Error("column " + name + ": the truth is no category");
  const auto meaning = meanings(truth, schema, findings);
  const Column& column = table.columns[*index];
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (column.cells[row] != Cell::known) continue;
    target[row * stride + question] = meaning.at(static_cast<std::size_t>(column.number(row)));
  }
}

}  // namespace

Truth read_truth(const GatesConfig& config, const law::Decisions& decisions, const Table& table) {
  if (decisions.case_id != table.case_id) throw Error("the decisions are of other cases than the table's");
  const std::size_t questions = decisions.questions.size();
  Truth truth;
  truth.known_question.assign(questions, false);
  truth.gold.assign(decisions.cases() * questions, law::no_index);
  truth.also = truth.gold;
  for (const TruthConfig& entry : config.truth) {
    const auto found = std::find(decisions.questions.begin(), decisions.questions.end(), entry.question);
    if (found == decisions.questions.end()) throw Error("the decisions have no question " + entry.question);
    const auto question = static_cast<std::size_t>(found - decisions.questions.begin());
    truth.known_question[question] = true;
    fill(entry, entry.column, decisions.findings[question], table, truth.gold, question, questions);
    if (!entry.also.empty()) fill(entry, entry.also, decisions.findings[question], table, truth.also, question, questions);
  }
  return truth;
}

LawFacts facts_of(const law::Law& law) {
  LawFacts facts;
  for (const std::string& critical : law.critical()) facts.covered_by[critical] = law.covered_by(critical);
  for (const std::string& question : law.questions()) facts.defaults[question] = law.default_of(question);
  return facts;
}

}  // namespace hiple::gate
