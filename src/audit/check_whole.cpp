#include <algorithm>

#include "audit/checker.hpp"
#include "base/text.hpp"

namespace hiple::audit {

using condition::Truth;

/// A question without a default, and a case in which every rule for it is FALSE.
void Checker::check_gaps() {
  for (std::size_t question = 0; question < law_.questions.size(); ++question) {
    if (law_.questions[question].fallback) continue;
    const std::string& name = law_.questions[question].name;
    std::vector<const Formula*> goals;
    std::vector<std::size_t> mine;
    for (const std::size_t rule : rules_) {
      if (law_.findings[law_.rules[rule].finding].question != question) continue;
      goals.push_back(&no_[rule]);
      mine.push_back(rule);
    }
    const Solution solution = solver_->solve(goals);
    if (solution.found == Found::no) continue;
    if (solution.found == Found::unknown) {
      give_up("gap", {name}, "the search for a case that no rule covers was given up");
      continue;
    }
    const law::GivenCase given = case_of(solution);
    const FullReading reading(law_, scopes_, given);
    const bool shown = std::all_of(mine.begin(), mine.end(),
                                   [&](std::size_t rule) { return reading.truth(law_.rules[rule].when.root()) == Truth::no; });
    if (!shown) {
      give_up("gap", {name}, "rules read several engines at once, or findings of panels");
      continue;
    }
    report(Severity::warning, "gap", {name}, {},
           "the question " + name + " has no default, and no rule says anything of some cases", text_of(given));
  }
}

void Checker::check_critical() {
  for (const law::Critical& critical : law_.critical) {
    if (!scopes_.by_finding[critical.finding].empty()) continue;
    const law::Finding& finding = law_.findings[critical.finding];
    const bool escalates = std::any_of(law_.laws.begin(), law_.laws.end(), [&](const law::LawEntry& entry) {
      return entry.kind == law::LawKind::escalate && entry.target == finding.question;
    });
    report(escalates ? Severity::warning : Severity::error, "critical without a rule", {finding.name}, {},
           "the critical finding " + finding.name + " has no rule in force: nothing can find it, and nothing excludes it" +
               (escalates ? "; only laws escalate its question" : ""));
  }
}

/// Domains whose engines no link connects, in one note: it is for people to say whether a boundary has two sides.
void Checker::check_links() {
  std::vector<std::string> pairs;
  const auto domain = [&](std::size_t engine) {
    return engine < options_.domains.size() ? options_.domains[engine] : law_.engines[engine].name;
  };
  const auto linked = [&](std::size_t a, std::size_t b) {
    return std::any_of(law_.links.begin(), law_.links.end(), [&](const law::Link& link) {
      return (link.from == a && link.to == b) || (link.from == b && link.to == a);
    });
  };
  for (std::size_t a = 0; a < law_.engines.size(); ++a)
    for (std::size_t b = a + 1; b < law_.engines.size(); ++b)
      if (domain(a) != domain(b) && !linked(a, b)) pairs.push_back(law_.engines[a].name + " - " + law_.engines[b].name);
  const bool all_home = law_.home.empty();
  if (pairs.empty() || all_home) return;  // where every engine is always asked, no link is needed
  constexpr std::size_t most = 30;
  std::string text = std::to_string(pairs.size()) + " pairs of domains have no link: ";
  const std::size_t shown = std::min(most, pairs.size());
  text += join(std::vector<std::string>(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown)), ", ");
  if (shown < pairs.size()) text += " ...";
  report(Severity::note, "no link", {}, {}, text);
}

void Checker::check_tests() {
  for (const std::size_t rule : rules_)
    if (!law_.rules[rule].tests.is_map())
      report(Severity::warning, "no tests", {id(rule)}, law_.rules[rule].place, "the rule " + id(rule) + " has no examples");
}

}  // namespace hiple::audit
