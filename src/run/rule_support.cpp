#include "run/rule_support.hpp"

#include <algorithm>
#include <limits>

#include "base/date.hpp"
#include "gate/bounds.hpp"
#include "gate/sequence.hpp"
#include "run/collect.hpp"
#include "run/evidence_store.hpp"
#include "run/integrate.hpp"
#include "run/rule_evidence.hpp"
#include "run/run_table.hpp"
#include "table/take_rows.hpp"

namespace hiple {

using condition::Truth;

namespace {

/// Counts in how many cases each rule and law spoke, and in how many of these evidence says what it says.
class Counter {
 public:
  explicit Counter(const law::Law::Model& law) : law_(law), watch_(law) {}

  /// One case.
  void count(const law::CaseResult& result, const law::CaseView& view, std::uint64_t case_id, const Said& said,
             std::vector<RuleSupport>& to) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < law_.rules.size(); ++i) {
      const law::Rule& rule = law_.rules[i];
      if (!is_claim(rule)) continue;
      RuleSupport& support = to[at++];
      const std::size_t evidence = said[law_.findings[rule.finding].question];
      if (watch_.is_circular(i) || evidence == law::no_number || !watch_.speaks(i, result, view)) continue;
      add(support, case_id, evidence == rule.finding);
    }
    for (const law::LawEntry& law : law_.laws) {
      RuleSupport& support = to[at++];
      if (law.kind == law::LawKind::escalate) continue;
      const std::size_t evidence = said[law_.findings[law.target].question];
      condition::CauseSet ignored;
      const Truth when = law.when.evaluate(view, ignored);
      if (evidence == law::no_number || when == Truth::unknown) continue;
      if (law.kind == law::LawKind::forbid && when == Truth::yes) add(support, case_id, evidence != law.target);
      if (law.kind == law::LawKind::require && evidence == law.target) add(support, case_id, when == Truth::yes);
    }
  }

 private:
  static void add(RuleSupport& support, std::uint64_t case_id, bool held) {
    SupportGroup& cases = support.groups.front();
    ++cases.cases;
    cases.held += held ? 1 : 0;
    if (!held) support.against.push_back(case_id);
  }

  const law::Law::Model& law_;
  const RuleWatch watch_;
};

std::string status_text(law::RuleStatus status) {
  static const char* const names[] = {"proposed", "verified", "accepted", "suspended", "retired"};
  return names[static_cast<std::size_t>(status)];
}

/// Rules and then laws, without any evidence yet.
std::vector<RuleSupport> blank(const law::Law::Model& law) {
  const double usual = law.precision.value_or(usual_precision);
  std::vector<RuleSupport> supports;
  for (const law::Rule& rule : law.rules)
    if (is_claim(rule))
      supports.push_back({rule.id,
                          law.findings[rule.finding].name,
                          rule.version,
                          status_text(rule.status),
                          rule.precision.value_or(usual),
                          {SupportGroup()},
                          Support::unproven,
                          {},
                          {}});
  for (const law::LawEntry& entry : law.laws) {
    const std::string target =
        entry.kind == law::LawKind::escalate ? law.questions[entry.target].name : law.findings[entry.target].name;
    supports.push_back({entry.id, target, entry.version, "law", usual, {SupportGroup()}, Support::unproven, {}, {}});
  }
  return supports;
}

/// Says why cases cannot verify a rule, where that is so.
void tell_circular(const law::Law::Model& law, const RuleWatch& watch, std::vector<RuleSupport>& supports) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    if (!is_claim(law.rules[i])) continue;
    if (watch.is_circular(i))
      supports[at].why = "it, or a rule that overrides it, reads evidence about its own question: cases cannot verify it";
    ++at;
  }
}

/// Evaluates the law on the cases that have evidence about a finding.
void count_cases(const law::Law::Model& law, const Table& whole, const std::vector<law::EngineJudgments>& engines,
                 const std::vector<std::pair<std::uint64_t, Said>>& said, std::vector<RuleSupport>& supports) {
  const Counter counter(law);
  std::vector<std::uint32_t> rows;
  std::vector<const Said*> of_row;
  std::uint32_t row = 0;
  const auto& ids = whole.case_id;
  for (const auto& [id, findings] : said) {
    while (row < ids.size() && ids[row] < id) ++row;
    if (row == ids.size() || ids[row] != id) continue;  // of a case that the table does not have any more
    rows.push_back(row);
    of_row.push_back(&findings);
  }
  const Table table = take_rows(whole, rows);
  const law::Inputs inputs(law, table, engines);
  law::Evaluator evaluator(law, inputs);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const law::CaseResult& result = evaluator.run(i);
    counter.count(result, law::CaseView(inputs, i, law, result, false), table.case_id[i], *of_row[i], supports);
  }
}

/// What sources say of rules themselves.
void add_studies(const StudyEvidence& evidence, std::vector<RuleSupport>& supports) {
  for (const evidence::RuleStanding& standing : evidence::rule_standings(evidence.store, evidence.filter)) {
    const auto found =
        std::find_if(supports.begin(), supports.end(), [&](const RuleSupport& s) { return s.id == standing.rule; });
    if (found == supports.end() || standing.contradictory) continue;
    found->groups.push_back({standing.source, standing.cases, standing.held, 0, 1, Support::unproven});
  }
}

/// Which of all bodies of evidence show what, all of it right with the given confidence however often it is looked at.
void judge(std::vector<RuleSupport>& supports) {
  std::vector<SupportGroup*> groups;
  std::vector<double> below, above;
  for (RuleSupport& support : supports)
    for (SupportGroup& group : support.groups) {
      if (group.cases == 0) continue;
      group.lower = gate::lower_at_every_look(group.held, group.cases);
      group.upper = gate::upper_at_every_look(group.held, group.cases);
      groups.push_back(&group);
      below.push_back(gate::probability_at_any_look(gate::log_evidence_below(group.held, group.cases, support.required)));
      above.push_back(gate::probability_at_any_look(gate::log_evidence_above(group.held, group.cases, support.required)));
    }
  const std::vector<bool> contradicted = gate::refuted(below), supported = gate::refuted(above);
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i]->support = contradicted[i] ? Support::contradicted : supported[i] ? Support::supported : Support::unproven;
}

void sum_up(RuleSupport& support) {
  const auto has = [&](Support wanted) {
    return std::any_of(support.groups.begin(), support.groups.end(), [&](const SupportGroup& g) { return g.support == wanted; });
  };
  const bool contradicted = has(Support::contradicted), supported = has(Support::supported);
  if (contradicted && supported)
    support.why = "what one source shows another refutes";
  else if (contradicted || supported)
    support.support = contradicted ? Support::contradicted : Support::supported;
  if (contradicted && support.status == "law") support.why = "a law is never revised by evidence: a person must look at it";
}

}  // namespace

std::string name_of(Support support) {
  static const char* const names[] = {"UNPROVEN", "SUPPORTED", "CONTRADICTED"};
  return names[static_cast<std::size_t>(support)];
}

std::uint64_t Verification::count(Support support) const {
  return static_cast<std::uint64_t>(
      std::count_if(rules.begin(), rules.end(), [&](const RuleSupport& rule) { return rule.support == support; }));
}

namespace {

/// `count`: gets the findings that evidence says of cases, and counts what stands there.
template <class Count>
Verification verify(const PreparedRun& run, std::optional<std::int32_t> since, Count count) {
  require_evidence(run.config);
  if (since && *since > run.config.as_of)
    throw InputError(Place{"command line"}, "no evidence of " + format_date(*since) + " and later can be known",
                     "the run's day is " + format_date(run.config.as_of), "name an earlier day, or set as_of in run.yaml");
  evidence::Filter filter = evidence_filter(run.config);
  if (since) filter.since = *since;
  const StudyEvidence evidence = study_evidence(run.evidence->file, run.evidence->store, filter, run.schema, run.law);
  const law::Law::Model& law = run.law.model();
  Verification verification;
  verification.head = evidence.store.head();
  verification.as_of = run.config.as_of;
  verification.since = since;
  verification.rules = blank(law);
  const auto said = said_of_cases(law, evidence.standings, verification.contradictory);
  verification.cases = said.size();
  tell_circular(law, RuleWatch(law), verification.rules);
  if (!said.empty()) count(said, verification.rules);
  add_studies(evidence, verification.rules);
  judge(verification.rules);
  for (RuleSupport& support : verification.rules) sum_up(support);
  std::sort(verification.rules.begin(), verification.rules.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return verification;
}

}  // namespace

Verification verify_rules(const PreparedRun& run, const RunDirectory& directory, std::optional<std::int32_t> since) {
  return verify(run, since, [&](const auto& said, std::vector<RuleSupport>& supports) {
    RunTable whole(run, std::numeric_limits<std::size_t>::max());
    Collector collector(run, directory, whole);
    collector.look();
    const auto arrivals = std::move(collector).take("it has not judged");
    count_cases(run.law.model(), whole.whole(), judgments_for_law(arrivals), said, supports);
  });
}

Verification verify_rules(const PreparedRun& run, const Table& table, const std::vector<law::EngineJudgments>& engines) {
  return verify(run, {}, [&](const auto& said, std::vector<RuleSupport>& supports) {
    count_cases(run.law.model(), table, engines, said, supports);
  });
}

}  // namespace hiple
