#include "run/revise_evidence.hpp"

#include <algorithm>
#include <set>

#include "condition/scope.hpp"
#include "gate/sequence.hpp"
#include "judgment/take_cases.hpp"
#include "run/drawn.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

bool same_cell(const Column& a, const Column& b, std::size_t row) {
  return a.cells[row] == b.cells[row] && (a.cells[row] != Cell::known || a.number(row) == b.number(row));
}

/// Half of all cases.
bool in_other_half(std::uint64_t id) { return (drawn(id) & 1) != 0; }

std::set<std::uint64_t> cases_since(const StudyEvidence& evidence, const law::Law& law, std::int32_t since) {
  evidence::Filter filter = evidence.filter;
  filter.since = since;
  const evidence::Standings later(evidence.store, evidence.terms, filter, evidence.file);
  std::uint64_t ignored = 0;
  std::set<std::uint64_t> ids;
  for (const auto& [id, said] : said_of_cases(law.model(), later, ignored)) ids.insert(id);
  return ids;
}

}  // namespace

RevisionCases::RevisionCases(const law::Law& law, const StudyEvidence& evidence, const StoredRun& stored,
                             std::optional<std::int32_t> since) {
  std::uint64_t ignored = 0;
  const auto later = since ? cases_since(evidence, law, *since) : std::set<std::uint64_t>();
  std::vector<std::uint32_t> rows;
  const auto& ids = stored.table.case_id;
  std::size_t row = 0;
  for (auto& [id, said] : said_of_cases(law.model(), evidence.standings, ignored)) {
    while (row < ids.size() && ids[row] < id) ++row;
    if (row == ids.size() || ids[row] != id) continue;  // of a case that the table does not have any more
    rows.push_back(static_cast<std::uint32_t>(row));
    said_.push_back(said);
    held_out_.push_back(since ? later.contains(id) : in_other_half(id));
  }
  table_ = take_rows(stored.table, rows);
  engines_ = stored.engines();
  judgments_.reserve(engines_.size());
  for (law::EngineJudgments& engine : engines_) {
    if (engine.judgments == nullptr) continue;
    judgments_.push_back(take_cases(*engine.judgments, table_.case_id));
    engine.judgments = &judgments_.back();
  }
}

LawOnCases::LawOnCases(const law::Law& law, const RevisionCases& cases)
    : questions_(law.questions().size()), rules_(law.model().rules.size()) {
  const law::Law::Model& model = law.model();
  const law::Inputs inputs(model, cases.table(), cases.engines());
  const RuleWatch watch(model);
  law::Evaluator evaluator(model, inputs);
  decided_.assign(cases.size() * questions_, law::no_number);
  speaks_.assign(cases.size() * rules_, false);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const law::CaseResult& result = evaluator.run(i);
    for (const law::Answer& answer : result.answers(model))
      if (answer.status == law::Status::decide) decided_[i * questions_ + answer.question] = answer.finding;
    const law::CaseView view(inputs, i, model, result, false);
    for (std::size_t rule = 0; rule < rules_; ++rule)
      speaks_[i * rules_ + rule] = is_claim(model.rules[rule]) && !watch.is_circular(rule) && watch.speaks(rule, result, view);
  }
}

Agreement LawOnCases::agreement(const RevisionCases& cases, std::size_t question) const {
  Agreement agreement;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t said = cases.said(i, question), own = decided(i, question);
    if (said == law::no_number || !cases.held_out(i)) continue;
    ++(own == law::no_number ? agreement.undecided : own == said ? agreement.right : agreement.wrong);
  }
  return agreement;
}

ShownPrecision LawOnCases::precision(const law::Law& law, const RevisionCases& cases, std::size_t number,
                                     double confidence) const {
  const law::Rule& rule = law.model().rules[number];
  const law::Finding& finding = law.model().findings[rule.finding];
  ShownPrecision shown{rule.id, finding.name, rule.precision.value_or(law.model().precision.value_or(usual_precision)), 0, 0,
                       0,       false};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t said = cases.said(i, finding.question);
    if (said == law::no_number || !cases.held_out(i) || !speaks(i, number)) continue;
    ++shown.cases;
    shown.held += said == rule.finding ? 1 : 0;
  }
  shown.lower = gate::lower_at_every_look(shown.held, shown.cases, confidence);
  shown.shown = shown.cases > 0 && shown.lower >= shown.required;
  return shown;
}

std::vector<std::uint32_t> renew_evidence(const law::Law& law, const StudyEvidence& evidence, Table& table) {
  Table old;
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (!condition::is_evidence_name(table.schema.columns[i].name)) continue;
    old.schema.columns.push_back(table.schema.columns[i]);
    old.columns.push_back(std::move(table.columns[i]));
    table.schema.columns.erase(table.schema.columns.begin() + static_cast<std::ptrdiff_t>(i));
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const std::size_t first = table.columns.size();
  EvidenceColumns(law, &evidence).put_beside(table);
  std::vector<bool> changed(table.rows(), false);
  const auto compare = [&](const Column* before, const Column* now) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const bool same = before != nullptr && now != nullptr ? same_cell(*before, *now, row)
                                                            : (before != nullptr ? before : now)->cells[row] == Cell::missing;
      if (!same) changed[row] = true;
    }
  };
  for (std::size_t i = first; i < table.columns.size(); ++i) {
    const auto found = old.schema.find(table.schema.columns[i].name);
    compare(found ? &old.columns[*found] : nullptr, &table.columns[i]);
  }
  for (std::size_t i = 0; i < old.columns.size(); ++i)
    if (!table.schema.find(old.schema.columns[i].name)) compare(&old.columns[i], nullptr);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row)
    if (changed[row]) rows.push_back(row);
  return rows;
}

}  // namespace hiple
