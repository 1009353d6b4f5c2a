#include "run/rule_evidence.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "condition/scope.hpp"

namespace hiple {

using condition::Truth;

namespace {

bool reads_column(const condition::Node& node, std::size_t column) {
  if ((node.op == condition::Op::column || node.op == condition::Op::known) && node.index == column) return true;
  const auto any = [&](const std::vector<condition::Node>& list) {
    return std::any_of(list.begin(), list.end(), [&](const condition::Node& each) { return reads_column(each, column); });
  };
  return any(node.operands) || std::any_of(node.groups.begin(), node.groups.end(), any);
}

}  // namespace

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

RuleWatch::RuleWatch(const law::Law::Model& law) : law_(law) {
  for (std::size_t i = 0; i < law.rules.size(); ++i) circular_.push_back(find_circle(i));
}

bool RuleWatch::find_circle(std::size_t number) const {
  const law::Question& question = law_.questions[law_.findings[law_.rules[number].finding].question];
  const std::string name = condition::evidence_name(question.name);
  const auto found = std::find(law_.columns.begin(), law_.columns.end(), name);
  if (found == law_.columns.end()) return false;
  const auto column = static_cast<std::size_t>(found - law_.columns.begin());
  std::vector<std::size_t> open = {number};
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

bool RuleWatch::speaks(std::size_t number, const law::CaseResult& result, const law::CaseView& view) const {
  const law::Rule& rule = law_.rules[number];
  const auto& rules = result.panels[law_.root].rules;
  if (rule.in_force && !rule.suspended) return rules[number].stand.value == Truth::yes;
  condition::CauseSet ignored;
  return rule.when.evaluate(view, ignored) == Truth::yes &&
         std::all_of(rule.beaten_by.begin(), rule.beaten_by.end(),
                     [&](std::size_t other) { return !rules[other].in_scope || rules[other].stand.value == Truth::no; });
}

}  // namespace hiple
