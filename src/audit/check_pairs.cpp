#include <algorithm>

#include "audit/checker.hpp"

namespace hiple::audit {

using condition::Truth;

namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Whether every entry of `part` is one of `whole`; both ascending.
template <class Value>
bool is_part(const std::vector<Value>& part, const std::vector<Value>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

}  // namespace

/// One case for each rule in which it is TRUE, and which rules are TRUE there too: most questions about pairs end here.
void Checker::find_samples() {
  sample_.resize(law_.rules.size());
  sample_text_.resize(law_.rules.size());
  for (const std::size_t rule : rules_) {
    const Solution solution = solver_->solve({&yes_[rule]});
    if (solution.found != Found::yes) continue;
    const law::GivenCase given = case_of(solution);
    const FullReading reading(law_, scopes_, given);
    if (reading.truth(law_.rules[rule].when.root()) != Truth::yes) continue;
    for (const law::Rule& other : law_.rules) sample_[rule].push_back(reading.truth(other.when.root()) == Truth::yes);
    sample_text_[rule] = text_of(given);
  }
}

/// Whether b is TRUE in every case in which a is.
bool Checker::implies(std::size_t a, std::size_t b, bool& unsure) {
  if (!sample_[a].empty() && !sample_[a][b]) return false;
  const Found found = solver_->satisfiable({&yes_[a], &not_yes_[b]});
  unsure = unsure || found == Found::unknown;
  return found == Found::no;
}

/// Two rules for one finding: whether a says nothing that b does not say.
void Checker::check_same_finding(std::size_t a, std::size_t b) {
  const law::Rule& first = law_.rules[a];
  const law::Rule& second = law_.rules[b];
  if (first.when.canonical() == second.when.canonical()) {
    if (a < b)
      report(Severity::warning, "duplicate", {first.id, second.id}, second.place,
             second.id + " says the same as " + first.id + " for the same finding", sample_text_[a]);
    return;
  }
  if (sample_[a].empty()) return;  // unsatisfiable, or not analysed: told already
  bool unsure = false;
  if (implies(a, b, unsure)) {
    const bool both = implies(b, a, unsure);
    if (both && a < b)
      report(Severity::warning, "duplicate", {first.id, second.id}, second.place,
             second.id + " is TRUE in the same cases as " + first.id + " for the same finding", sample_text_[a]);
    if (!both && is_part(first.overrides, second.overrides) && is_part(second.beaten_by, first.beaten_by))
      report(Severity::warning, "subsumed", {first.id, second.id}, first.place,
             first.id + " adds nothing: wherever it is TRUE, " + second.id + " is TRUE for the same finding", sample_text_[a]);
  }
  if (unsure) give_up("subsumed", {first.id, second.id}, "the search was given up");
}

void Checker::add_standing(std::size_t rule, std::vector<const Formula*>& goals) const {
  goals.push_back(&yes_[rule]);
  for (const std::size_t other : law_.rules[rule].beaten_by) goals.push_back(&no_[other]);
}

bool Checker::has_nested_defeat(std::size_t rule) const {
  const auto& beaten_by = law_.rules[rule].beaten_by;
  return std::any_of(beaten_by.begin(), beaten_by.end(), [&](std::size_t other) { return !law_.rules[other].beaten_by.empty(); });
}

/// Two rules that can stand together for findings that exclude one another.
void Checker::check_overlap(std::size_t a, std::size_t b) {
  const law::Rule& first = law_.rules[a];
  const law::Rule& second = law_.rules[b];
  const bool same_question = law_.findings[first.finding].question == law_.findings[second.finding].question;
  if (!same_question && !contains(law_.findings[first.finding].incompatible, second.finding)) return;
  if (contains(first.beaten_by, b) || contains(second.beaten_by, a)) return;
  std::vector<const Formula*> goals = {&yes_[a], &yes_[b]};
  if (solver_->satisfiable(goals) == Found::no) return;
  goals.clear();
  add_standing(a, goals);
  add_standing(b, goals);
  Solution solution = solver_->solve(goals);
  const bool nested = has_nested_defeat(a) || has_nested_defeat(b);
  if (solution.found == Found::no && nested) solution = solver_->solve({&yes_[a], &yes_[b]});
  if (solution.found == Found::no) return;
  const std::vector<std::string> ids = {first.id, second.id};
  if (solution.found == Found::unknown) return give_up("overlap", ids, "the search was given up");
  if (result_.found["overlap"] >= options_.most_listed) return report(Severity::warning, "overlap", ids, {}, "");
  const law::GivenCase given = case_of(solution);
  const FullReading reading(law_, scopes_, given);
  if (reading.rule(a).stand.value != Truth::yes || reading.rule(b).stand.value != Truth::yes)
    return give_up("overlap", ids,
                   solution.unverified ? "they read several engines at once, or findings of panels"
                                       : "no case was found in which both stand");
  report(Severity::warning, "overlap", ids, second.place,
         first.id + " and " + second.id + " can stand together, for " + law_.findings[first.finding].name + " and " +
             law_.findings[second.finding].name + ", and neither overrides the other: a conflict",
         text_of(given));
}

/// A rule that never stands, because wherever it is TRUE one that overrides it is not FALSE.
void Checker::check_reachable(std::size_t rule) {
  const law::Rule& self = law_.rules[rule];
  if (self.beaten_by.empty() || sample_[rule].empty()) return;
  std::vector<const Formula*> goals;
  add_standing(rule, goals);
  const Found found = solver_->satisfiable(goals);
  if (found == Found::yes) return;
  if (found == Found::unknown || has_nested_defeat(rule))
    return give_up("unreachable", {self.id},
                   found == Found::unknown ? "the search was given up" : "what overrides it is itself overridden");
  report(Severity::error, "unreachable", {self.id}, self.place,
         "the rule " + self.id + " never stands: wherever it is TRUE, a rule that overrides it is not FALSE", sample_text_[rule]);
}

}  // namespace hiple::audit
