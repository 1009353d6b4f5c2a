#include "run/test_part.hpp"

#include <algorithm>

namespace hiple {

namespace {

/// Those entries of `from` that stand at `rows`, each of `width` values.
template <class Vector>
void append(Vector& to, const Vector& from, const std::vector<std::size_t>& rows, std::size_t width = 1) {
  if (from.empty()) return;  // a column that is not kept, or that this kind of engine lacks
  for (const std::size_t row : rows)
    for (std::size_t i = row * width; i < (row + 1) * width; ++i) to.push_back(from[i]);
}

void append(Table& to, const Table& from, const std::vector<std::size_t>& rows) {
  if (to.columns.empty()) {
    to.schema = from.schema;
    for (const Column& column : from.columns)
      to.columns.push_back(
          {std::visit([]<class T>(const std::vector<T>&) { return Column::Values(std::vector<T>()); }, column.values), {}});
  }
  append(to.case_id, from.case_id, rows);
  for (std::size_t i = 0; i < to.columns.size(); ++i) {
    append(to.columns[i].cells, from.columns[i].cells, rows);
    std::visit([&]<class T>(std::vector<T>& values) { append(values, std::get<std::vector<T>>(from.columns[i].values), rows); },
               to.columns[i].values);
  }
}

/// What the engine says of the cases with these ids.
void append(Judgments& to, const Judgments& from, const Table& table, const std::vector<std::size_t>& cases) {
  to.engine = from.engine;
  to.classes = from.classes;
  std::vector<std::size_t> rows;
  auto at = from.case_id.begin();
  for (const std::size_t row : cases) {
    at = std::lower_bound(at, from.case_id.end(), table.case_id[row]);
    if (at != from.case_id.end() && *at == table.case_id[row])
      rows.push_back(static_cast<std::size_t>(at - from.case_id.begin()));
  }
  append(to.case_id, from.case_id, rows);
  append(to.label, from.label, rows);
  append(to.confidence, from.confidence, rows);
  append(to.probability, from.probability, rows, from.classes.size());
  append(to.value, from.value, rows);
  append(to.typicality, from.typicality, rows);
  append(to.status, from.status, rows);
}

}  // namespace

void TestPart::add(const Table& table, const std::vector<Part>& parts, const law::Decisions& decisions,
                   const std::vector<law::EngineJudgments>& engines) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < parts.size(); ++row)
    if (parts[row] == Part::test) rows.push_back(row);
  append(table_, table, rows);
  if (decisions_.questions.empty()) {
    decisions_.questions = decisions.questions;
    decisions_.findings = decisions.findings;
    decisions_.rules = decisions.rules;
    decisions_.engines = decisions.engines;
    decisions_.law_text = decisions.law_text;
    decisions_.evidence = decisions.evidence;
    decisions_.closed_by = decisions.closed_by;
  }
  append(decisions_.case_id, decisions.case_id, rows);
  append(decisions_.decisions, decisions.decisions, rows, decisions.questions.size());
  append(decisions_.rounds, decisions.rounds, rows);
  append(decisions_.consulted, decisions.consulted, rows, decisions.words());
  if (engines_.empty()) {
    engines_ = engines;
    judgments_.resize(engines.size());
  }
  for (std::size_t i = 0; i < engines.size(); ++i)
    if (engines[i].judgments != nullptr) append(judgments_[i], *engines[i].judgments, table, rows);
}

std::vector<law::EngineJudgments> TestPart::engines() const {
  std::vector<law::EngineJudgments> engines = engines_;
  for (std::size_t i = 0; i < engines.size(); ++i)
    if (engines[i].judgments != nullptr) engines[i].judgments = &judgments_[i];
  return engines;
}

}  // namespace hiple
