#include "run/rule_support.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/date.hpp"
#include "gate/bounds.hpp"
#include "gate/sequence.hpp"
#include "law/evaluate.hpp"
#include "run/collect.hpp"
#include "run/evidence_store.hpp"
#include "run/integrate.hpp"
#include "run/run_table.hpp"
#include "table/take_rows.hpp"

namespace hiple {

using condition::Truth;

namespace {

/// What evidence says of the findings of one case; no_number where it says nothing.
using Said = std::vector<std::size_t>;  // one a question: index into Model::findings

/// A default claims nothing, and a retired rule nothing any more.
bool is_claim(const law::Rule& rule) { return !rule.fallback && rule.status != law::RuleStatus::retired; }

bool reads_column(const condition::Node& node, std::size_t column) {
  if ((node.op == condition::Op::column || node.op == condition::Op::known) && node.index == column) return true;
  const auto any = [&](const std::vector<condition::Node>& list) {
    return std::any_of(list.begin(), list.end(), [&](const condition::Node& each) { return reads_column(each, column); });
  };
  return any(node.operands) || std::any_of(node.groups.begin(), node.groups.end(), any);
}

/// Counts in how many cases each rule and law spoke, and in how many of these evidence says what it says.
class Counter {
 public:
  explicit Counter(const law::Law::Model& law) : law_(law) {
    for (const law::Rule& rule : law.rules) rules_.push_back(is_circular(rule));
  }

  /// One case.
  void count(const law::CaseResult& result, const law::CaseView& view, std::uint64_t case_id, const Said& said,
             std::vector<RuleSupport>& to) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < law_.rules.size(); ++i) {
      const law::Rule& rule = law_.rules[i];
      if (!is_claim(rule)) continue;
      RuleSupport& support = to[at++];
      const std::size_t evidence = said[law_.findings[rule.finding].question];
      if (rules_[i] || evidence == law::no_number || !speaks(result, view, i)) continue;
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

  [[nodiscard]] bool is_circular_rule(std::size_t rule) const { return rules_[rule]; }

 private:
  /// It, or one that overrides it, reads what it would be held against.
  [[nodiscard]] bool is_circular(const law::Rule& rule) const {
    const std::size_t column = law_.heeded.at(law_.findings[rule.finding].question).column;
    std::vector<std::size_t> open = {static_cast<std::size_t>(&rule - law_.rules.data())};
    std::set<std::size_t> seen(open.begin(), open.end());
    while (!open.empty()) {
      const law::Rule& one = law_.rules[open.back()];
      open.pop_back();
      if (reads_column(one.when.root(), column) || (one.suspended && reads_column(one.suspended->root(), column))) return true;
      for (const std::size_t other : one.beaten_by)
        if (seen.insert(other).second) open.push_back(other);
    }
    return false;
  }

  [[nodiscard]] bool speaks(const law::CaseResult& result, const law::CaseView& view, std::size_t number) const {
    const law::Rule& rule = law_.rules[number];
    const auto& rules = result.panels[law_.root].rules;
    if (rule.in_force && !rule.suspended) return rules[number].stand.value == Truth::yes;
    condition::CauseSet ignored;
    return rule.when.evaluate(view, ignored) == Truth::yes &&
           std::all_of(rule.beaten_by.begin(), rule.beaten_by.end(),
                       [&](std::size_t other) { return !rules[other].in_scope || rules[other].stand.value == Truth::no; });
  }

  static void add(RuleSupport& support, std::uint64_t case_id, bool held) {
    SupportGroup& cases = support.groups.front();
    ++cases.cases;
    cases.held += held ? 1 : 0;
    if (!held) support.against.push_back(case_id);
  }

  const law::Law::Model& law_;
  std::vector<bool> rules_;  // of each: it cannot be verified by evidence about cases
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

/// What evidence says of each case that has any, in the order of cases.
std::vector<std::pair<std::uint64_t, Said>> said_of_cases(const law::Law::Model& law, const evidence::Standings& standings,
                                                          std::uint64_t& contradictory) {
  std::map<std::uint64_t, Said> said;
  for (std::size_t q = 0; q < law.questions.size(); ++q)
    for (const evidence::Standing& standing : standings.of(law.questions[q].name)) {
      if (standing.contradictory) {
        ++contradictory;
        continue;
      }
      Said& one = said.try_emplace(standing.case_id, law.questions.size(), law::no_number).first->second;
      one[q] = law.questions[q].first_finding + static_cast<std::size_t>(standing.value);
    }
  return {said.begin(), said.end()};
}

/// Evaluates the law on the cases that have evidence about a finding.
void count_cases(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::pair<std::uint64_t, Said>>& said,
                 std::vector<RuleSupport>& supports) {
  const law::Law::Model& law = run.law.model();
  const Counter counter(law);
  std::size_t at = 0;
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    if (!is_claim(law.rules[i])) continue;
    if (counter.is_circular_rule(i))
      supports[at].why = "it, or a rule that overrides it, reads evidence about its own question: cases cannot verify it";
    ++at;
  }
  if (said.empty()) return;
  RunTable whole(run, std::numeric_limits<std::size_t>::max());
  Collector collector(run, directory, whole);
  collector.look();
  const auto arrivals = std::move(collector).take("it has not judged");
  std::vector<std::uint32_t> rows;
  std::vector<const Said*> of_row;
  std::uint32_t row = 0;
  const auto& ids = whole.whole().case_id;
  for (const auto& [id, findings] : said) {
    while (row < ids.size() && ids[row] < id) ++row;
    if (row == ids.size() || ids[row] != id) continue;  // of a case that the table does not have any more
    rows.push_back(row);
    of_row.push_back(&findings);
  }
  const Table table = take_rows(whole.whole(), rows);
  const auto engines = judgments_for_law(arrivals);
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

Verification verify_rules(const PreparedRun& run, const RunDirectory& directory, std::optional<std::int32_t> since) {
  require_evidence(run.config);
  if (since && *since > run.config.as_of)
    throw InputError(Place{"command line"}, "no evidence of " + format_date(*since) + " and later can be known",
                     "the run's day is " + format_date(run.config.as_of), "name an earlier day, or set as_of in run.yaml");
  evidence::Filter filter = evidence_filter(run.config);
  if (since) filter.since = *since;
  const StudyEvidence evidence = study_evidence(run.evidence->file, run.evidence->store, filter, run.schema, run.law);
  Verification verification;
  verification.head = evidence.store.head();
  verification.as_of = run.config.as_of;
  verification.since = since;
  verification.rules = blank(run.law.model());
  const auto said = said_of_cases(run.law.model(), evidence.standings, verification.contradictory);
  verification.cases = said.size();
  count_cases(run, directory, said, verification.rules);
  add_studies(evidence, verification.rules);
  judge(verification.rules);
  for (RuleSupport& support : verification.rules) sum_up(support);
  std::sort(verification.rules.begin(), verification.rules.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return verification;
}

}  // namespace hiple
