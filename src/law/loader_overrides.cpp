#include <algorithm>

#include "base/text.hpp"
#include "law/loader.hpp"

namespace hiple::law {

std::size_t Loader::rule_number(const std::string& id) const {
  const auto& rules = model_->rules;
  const auto found =
      std::lower_bound(rules.begin(), rules.end(), id, [](const Rule& r, const std::string& x) { return r.id < x; });
  return found != rules.end() && found->id == id ? static_cast<std::size_t>(found - rules.begin()) : no_number;
}

void Loader::link_overrides() {
  auto& rules = model_->rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (const std::string& other : rules[i].overrides) {
      const std::size_t number = rule_number(other);
      check_override(rules[i], other);
      if (number != no_number && rules[i].in_force && rules[number].in_force) rules[number].beaten_by.push_back(i);
    }
    const Question& question = model_->questions[model_->findings[rules[i].finding].question];
    const std::size_t fallback = rule_number(question.name + ".default");
    if (fallback != no_number && rules[i].in_force && rules[fallback].finding != rules[i].finding)
      rules[fallback].beaten_by.push_back(i);
  }
  for (Rule& rule : rules) {
    std::sort(rule.beaten_by.begin(), rule.beaten_by.end());
    rule.beaten_by.erase(std::unique(rule.beaten_by.begin(), rule.beaten_by.end()), rule.beaten_by.end());
  }
}

void Loader::check_override(const Rule& rule, const std::string& other) {
  const std::size_t number = rule_number(other);
  if (number == no_number) {
    if (ids_.contains(other) && !problems_.empty()) return;  // it is there, and was read wrongly
    std::vector<std::string> ids;
    for (const Rule& each : model_->rules) ids.push_back(each.id);
    problems_.add(rule.place, rule.id + " overrides \"" + other + "\", which is no rule", {}, suggestion(other, ids));
    return;
  }
  const Rule& beaten = model_->rules[number];
  const std::string remedy = "only a rule for another finding of the same question can be overridden";
  if (beaten.finding == rule.finding)
    problems_.add(rule.place, rule.id + " overrides " + other + ", a rule for the same finding", remedy);
  else if (model_->findings[beaten.finding].question != model_->findings[rule.finding].question)
    problems_.add(rule.place, rule.id + " overrides " + other + ", a rule of another question", remedy);
}

/// Overriders before what they override; what is left over when no rule is free of waiting holds a cycle.
void Loader::order_rules() {
  const auto& rules = model_->rules;
  std::vector<std::size_t> waits(rules.size());
  std::vector<std::vector<std::size_t>> beats(rules.size());
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!rules[i].in_force) continue;
    waits[i] = rules[i].beaten_by.size();
    for (const std::size_t other : rules[i].beaten_by) beats[other].push_back(i);
    if (waits[i] == 0) free.push_back(i);
  }
  std::vector<std::size_t>& order = model_->rule_order;
  for (std::size_t at = 0; at < free.size(); ++at) {
    order.push_back(free[at]);
    for (const std::size_t beaten : beats[free[at]])
      if (--waits[beaten] == 0) free.push_back(beaten);
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (waits[i] > 0) open.push_back(i);
  if (!open.empty()) report_cycle(open);
}

/// Every rule that was left over is beaten by another one that was: going on long enough comes back to where it was.
void Loader::report_cycle(const std::vector<std::size_t>& open) {
  const auto& rules = model_->rules;
  std::vector<std::size_t> path = {open.front()};
  while (true) {
    const auto& beaten_by = rules[path.back()].beaten_by;
    const std::size_t next = *std::find_if(beaten_by.begin(), beaten_by.end(),
                                           [&](std::size_t i) { return std::binary_search(open.begin(), open.end(), i); });
    const auto seen = static_cast<std::size_t>(std::find(path.begin(), path.end(), next) - path.begin());
    const bool comes_back = seen < path.size();
    path.push_back(next);
    if (!comes_back) continue;
    std::vector<std::string> names;
    for (std::size_t i = seen; i < path.size(); ++i) names.push_back(rules[path[i]].id);
    std::reverse(names.begin(), names.end());  // from the one that overrides to the one that is overridden
    problems_.add(rules[next].place, "overrides go in a circle: " + join(names, " > "),
                  "none of these rules could be read first");
    return;
  }
}

}  // namespace hiple::law
