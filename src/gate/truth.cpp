#include "gate/truth.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "law/model.hpp"

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

std::size_t engine_index(const law::Decisions& decisions, const std::string& name) {
  for (std::size_t i = 0; i < decisions.engines.size(); ++i)
    if (decisions.engines[i].name == name) return i;
  throw Error("gates: the decisions know no engine " + name);
}

const Column& column_of(const Table& table, const std::string& name, ColumnType type) {
  const auto index = table.schema.find(name);
  if (!index) throw Error("the table has no column " + name);
  if (table.schema.columns[*index].type != type)
    throw Error("column " + name + " has another type than gates.yaml was checked with");
  return table.columns[*index];
}

void read_needed(const GatesConfig& config, const law::Decisions& decisions, const Table& table, Truth& truth) {
  truth.needed = EngineSets(table.rows(), decisions.engines.size());
  for (const auto& [engine, name] : config.needed_columns) {
    const std::size_t number = engine_index(decisions, engine);
    const Column& column = column_of(table, name, ColumnType::boolean);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (column.cells[row] != Cell::known)
        truth.annotated[row] = false;
      else if (column.number(row) != 0)
        truth.needed.insert(row, number);
    }
  }
}

void read_home(const GatesConfig& config, const law::Decisions& decisions, const Table& table, Truth& truth) {
  truth.home = EngineSets(table.rows(), decisions.engines.size());
  const Column& column = column_of(table, config.home.column, ColumnType::category);
  std::vector<std::vector<std::size_t>> engines;  // of each value
  for (const std::string& value : table.schema.columns[*table.schema.find(config.home.column)].values) {
    const auto stated = config.home.engines.find(value);
    const std::vector<std::string> names = stated == config.home.engines.end() ? std::vector<std::string>{value} : stated->second;
    engines.emplace_back();
    for (const std::string& name : names) engines.back().push_back(engine_index(decisions, name));
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (column.cells[row] != Cell::known) {
      truth.annotated[row] = false;
      continue;
    }
    for (const std::size_t engine : engines.at(static_cast<std::size_t>(column.number(row)))) truth.home.insert(row, engine);
  }
}

void read_clusters(const GatesConfig& config, const Table& table, Truth& truth) {
  const auto index = table.schema.find(config.cluster);
  if (!index) throw Error("the table has no column " + config.cluster);
  const Column& column = table.columns[*index];
  std::map<double, std::uint64_t> numbers;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (column.cells[row] != Cell::known)
      throw InputError(config.cluster_place, "case " + std::to_string(table.case_id[row]) + " has no \"" + config.cluster + "\"",
                       "it may belong to any cluster", "fill it in, or name another column");
    truth.cluster.push_back(numbers.emplace(column.number(row), numbers.size()).first->second);
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
  if (!config.needed_columns.empty() || !config.home.column.empty()) truth.annotated.assign(table.rows(), true);
  if (!config.needed_columns.empty()) read_needed(config, decisions, table, truth);
  if (!config.home.column.empty()) read_home(config, decisions, table, truth);
  if (!config.cluster.empty()) read_clusters(config, table, truth);
  return truth;
}

LawFacts facts_of(const law::Law& law) {
  LawFacts facts;
  for (const std::string& critical : law.critical()) facts.covered_by[critical] = law.covered_by(critical);
  for (const std::string& question : law.questions()) facts.defaults[question] = law.default_of(question);
  const law::Law::Model& model = law.model();
  const auto add = [&](const auto& self, std::size_t number, std::size_t level) -> void {
    const law::Panel& panel = model.panels[number];
    LawFacts::Panel entry{panel.name, level, {}};
    for (const std::size_t under : panel.subtree)
      for (const std::size_t engine : model.panels[under].engines) entry.engines.push_back(model.engines[engine].name);
    facts.panels.push_back(std::move(entry));
    for (const std::size_t member : panel.panels) self(self, member, level + 1);
  };
  if (!model.panels.empty()) add(add, model.root, 0);
  return facts;
}

}  // namespace hiple::gate
