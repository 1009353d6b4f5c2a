#include "law/columnar_compiler.hpp"

#include <algorithm>

namespace hiple::law::columnar {

Compiled compile(const Law::Model& law) {
  Compiled compiled;
  compiled.may_be_inactive = !law.home.empty();
  Compiler(law, compiled).run();
  return compiled;
}

Compiler::Compiler(const Law::Model& law, Compiled& compiled)
    : law_(law),
      compiled_(compiled),
      scopes_(law),
      logic_(circuit_, compiled.may_be_inactive),
      conditions_(law, logic_),
      rules_(law.rules.size()) {}

void Compiler::run() {
  for (const RouteEntry& entry : law_.home)
    compiled_.home.push_back(entry.when ? conditions_.read(entry.when->root(), false).yes : everywhere);
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    laws_.push_back(conditions_.read(law_.laws[i].when.root(), false));
    laws_careful_.push_back(scopes_.law_differs[i] ? conditions_.read(law_.laws[i].when.root(), true) : laws_.back());
  }
  for (const Critical& critical : law_.critical) suspects_.push_back(conditions_.read(critical.suspect.root(), false));
  for (std::size_t i = 0; i < law_.heeded.size(); ++i) heeded_.push_back(conditions_.heeded(i));
  compiled_.waiting.assign(law_.engines.size(), nowhere);
  compiled_.questions.resize(law_.questions.size());
  for (const std::size_t panel : law_.panels[law_.root].subtree) resolve(panel);
  for (const Link& link : law_.links) {
    const Proposition when = conditions_.read(link.when.root(), false);
    const Plane active = compiled_.may_be_inactive ? circuit_.active(static_cast<std::uint32_t>(link.from)) : everywhere;
    const Plane fires = link.eager ? circuit_.complement(when.no) : when.yes;
    compiled_.links.push_back({link.from, link.to, circuit_.both(active, fires)});
  }
}

/// A rule's condition, UNKNOWN where it is suspended and not FALSE.
Proposition Compiler::read_when(const Rule& rule, bool careful) {
  Proposition when = conditions_.read(rule.when.root(), careful);
  if (!rule.suspended) return when;
  const Proposition where = conditions_.read(rule.suspended->root(), careful);
  const Plane possible = circuit_.complement(when.no);
  logic_.add(when.causes, where.causes, possible);
  logic_.add(when.causes, other_cause, circuit_.without(possible, where.no));
  when.yes = circuit_.both(when.yes, where.no);
  return when;
}

Compiler::RuleReadings Compiler::read_rule(const Rule& rule) {
  RuleReadings readings;
  readings.when = read_when(rule, false);
  const bool differs = scopes_.differs[static_cast<std::size_t>(&rule - law_.rules.data())];
  readings.when_careful = differs ? read_when(rule, true) : readings.when;
  return readings;
}

/// Whether some rule that overrides it stands.
Proposition Compiler::beaten(const Rule& rule, const Panel& panel, bool careful) const {
  std::vector<Proposition> standing;
  for (const std::size_t other : rule.beaten_by)
    if (panel.in_scope[other]) standing.push_back(careful ? panel.stand_careful[other] : panel.stand[other]);
  return standing.empty() ? Logic::constant(false) : logic_.any(standing);
}

Proposition Compiler::conjoin_not(const Proposition& a, const Proposition& b) const { return logic_.both(a, Logic::negate(b)); }

/// Read plainly, a default also stands over rules that are unknown only for engines that nobody called.
Proposition Compiler::stand(const Rule& rule, const Panel& panel, bool careful) const {
  const RuleReadings& readings = *rules_[static_cast<std::size_t>(&rule - law_.rules.data())];
  const Proposition& when = careful ? readings.when_careful : readings.when;
  if (rule.beaten_by.empty()) return when;
  Proposition out = beaten(rule, panel, careful);
  if (rule.fallback && !careful && logic_.tracks()) {
    const Plane called_off = circuit_.without(logic_.unknown(out), Logic::of(out.causes, other_cause));
    out.no = circuit_.either(out.no, called_off);
    out.causes = logic_.within(out.causes, circuit_.complement(called_off));
  }
  return conjoin_not(when, out);
}

void Compiler::resolve(std::size_t number) {
  Panel panel;
  panel.number = number;
  panel.in_scope.resize(law_.rules.size());
  panel.stand.resize(law_.rules.size());
  panel.stand_careful.resize(law_.rules.size());
  std::vector<std::vector<Proposition>> standing(law_.findings.size()), standing_careful(law_.findings.size());
  for (const auto& [index, from] : scopes_.rules[number]) {
    const Rule& rule = law_.rules[index];
    panel.in_scope[index] = true;
    if (!rules_[index]) rules_[index] = read_rule(rule);
    panel.stand[index] = stand(rule, panel, false);
    panel.stand_careful[index] = stand(rule, panel, true);
    standing[rule.finding].push_back(panel.stand[index]);
    standing_careful[rule.finding].push_back(panel.stand_careful[index]);
  }
  for (std::size_t i = 0; i < law_.findings.size(); ++i) {
    panel.holds.push_back(standing[i].empty() ? Logic::constant(false) : logic_.any(standing[i]));
    panel.holds_careful.push_back(standing_careful[i].empty() ? Logic::constant(false) : logic_.any(standing_careful[i]));
  }
  const auto& answers = law_.panels[number].answers;
  for (std::size_t i = 0; i < answers.size(); ++i) answer(panel, answers[i], law_.panels[number].first_slot + i);
}

}  // namespace hiple::law::columnar
