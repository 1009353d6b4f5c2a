#include "run/revise_evidence.hpp"

#include <algorithm>
#include <set>

#include "gate/sequence.hpp"
#include "judgment/take_cases.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

/// Half of all cases, in an order that has nothing to do with how ids were given (the finaliser of SplitMix64: Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
bool in_other_half(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15ULL;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9ULL;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebULL;
  return ((id ^ (id >> 31)) & 1) != 0;
}

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

}  // namespace hiple
