#include "law/resolver.hpp"

#include <algorithm>

#include "law/kleene.hpp"

namespace hiple::law {

namespace {

/// Only known(x) and findings of panels are read in two ways.
bool has_careful_reading(const condition::Node& node) {
  if (node.op == condition::Op::known || node.op == condition::Op::finding) return true;
  const auto any = [](const auto& list) { return std::any_of(list.begin(), list.end(), has_careful_reading); };
  return any(node.operands) || std::any_of(node.groups.begin(), node.groups.end(), any);
}

void read(const condition::Condition& condition, const condition::View& view, Reading& reading) {
  reading.causes.clear();
  reading.value = condition.evaluate(view, reading.causes);
}

}  // namespace

Scopes::Scopes(const Law::Model& law)
    : rules(law.panels.size()), by_question(law.questions.size()), by_finding(law.findings.size()) {
  for (std::size_t panel = 0; panel < law.panels.size(); ++panel) {
    std::vector<std::size_t> from(law.panels.size(), no_number);  // of each panel below: the member that it is under
    std::vector<bool> below(law.panels.size());
    below[panel] = true;
    for (const std::size_t member : law.panels[panel].panels)
      for (const std::size_t under : law.panels[member].subtree) {
        below[under] = true;
        from[under] = member;
      }
    for (const std::size_t rule : law.rule_order) {
      const std::size_t home = law.rules[rule].panel;
      if (home == no_number || below[home]) rules[panel].push_back({rule, home == no_number ? no_number : from[home]});
    }
  }
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    const Rule& rule = law.rules[i];
    differs.push_back(has_careful_reading(rule.when.root()) || (rule.suspended && has_careful_reading(rule.suspended->root())));
    if (!rule.in_force) continue;
    by_question[law.findings[rule.finding].question].push_back(i);
    by_finding[rule.finding].push_back(i);
  }
  for (const LawEntry& entry : law.laws) law_differs.push_back(has_careful_reading(entry.when.root()));
  for (std::uint32_t i = 0; i < law.causes().size(); ++i)
    is_inactive.push_back(law.causes().at(i).kind == condition::CauseKind::inactive);
}

Resolver::Resolver(const Law::Model& law, const Scopes& scopes)
    : law_(law), scopes_(scopes), holds_(law.findings.size()), holds_careful_(law.findings.size()) {}

void Resolver::read_laws(const condition::View& plain, const condition::View& careful, CaseResult& result) const {
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    read(law_.laws[i].when, plain, result.laws[i]);
    if (scopes_.law_differs[i])
      read(law_.laws[i].when, careful, result.laws_careful[i]);
    else
      result.laws_careful[i] = result.laws[i];
  }
  for (std::size_t i = 0; i < law_.critical.size(); ++i) read(law_.critical[i].suspect, plain, result.suspects[i]);
  result.evidence.resize(law_.heeded.size());
  for (std::size_t i = 0; i < law_.heeded.size(); ++i) {
    const condition::Field field = plain.column(law_.heeded[i].column);
    const bool known = field.state == condition::Field::State::known;
    result.evidence[i] = {field.state,
                          known ? law_.questions[i].first_finding + static_cast<std::size_t>(field.number) : no_number};
  }
}

/// A rule's condition, UNKNOWN where it is suspended and not FALSE.
void Resolver::read_when(const Rule& rule, bool differs, const condition::View& plain, const condition::View& careful,
                         RuleResult& result) const {
  const auto read_one = [&](const condition::View& view, Reading& when) {
    read(rule.when, view, when);
    if (!rule.suspended || when.value == Truth::no) return;
    Reading where;
    read(*rule.suspended, view, where);
    if (where.value == Truth::no) return;
    when.value = Truth::unknown;
    when.causes.add(where.causes);
    when.causes.add(rule.suspended_cause);
  };
  read_one(plain, result.when);
  if (differs)
    read_one(careful, result.when_careful);
  else
    result.when_careful = result.when;
}

/// Whether some rule that overrides it stands.
void Resolver::beaten(const Rule& rule, const PanelResult& panel, Reading RuleResult::*stand, Reading& out) const {
  set(out, Truth::no);
  for (const std::size_t other : rule.beaten_by)
    if (panel.rules[other].in_scope) disjoin(out, panel.rules[other].*stand);
}

bool Resolver::only_inactive(const condition::CauseSet& causes) const {
  const auto list = causes.list();
  return std::all_of(list.begin(), list.end(), [&](std::uint32_t cause) { return scopes_.is_inactive[cause]; });
}

/// stand = when and no standing rule overrides it. A default, read plainly, also stands over rules that are unknown only for
/// engines that nobody called: else every engine would have to be consulted to find nothing.
void Resolver::read_stand(const Rule& rule, PanelResult& panel) const {
  RuleResult& result = panel.rules[static_cast<std::size_t>(&rule - law_.rules.data())];
  result.stand = result.when;
  result.stand_careful = result.when_careful;
  if (rule.beaten_by.empty()) return;
  Reading out;
  beaten(rule, panel, &RuleResult::stand, out);
  const bool called_off = rule.fallback && out.value == Truth::unknown && only_inactive(out.causes);
  if (!called_off) conjoin_not(result.stand, out);
  beaten(rule, panel, &RuleResult::stand_careful, out);
  conjoin_not(result.stand_careful, out);
}

void Resolver::resolve(std::size_t number, const condition::View& plain, const condition::View& careful, CaseResult& result) {
  PanelResult& panel = result.panels[number];
  for (Reading& reading : holds_) set(reading, Truth::no);
  for (Reading& reading : holds_careful_) set(reading, Truth::no);
  for (const auto& [index, from] : scopes_.rules[number]) {
    const Rule& rule = law_.rules[index];
    RuleResult& mine = panel.rules[index];
    mine.in_scope = true;
    if (from == no_number) {
      read_when(rule, scopes_.differs[index], plain, careful, mine);
    } else {
      mine.when = result.panels[from].rules[index].when;
      mine.when_careful = result.panels[from].rules[index].when_careful;
    }
    read_stand(rule, panel);
    disjoin(holds_[rule.finding], mine.stand);
    disjoin(holds_careful_[rule.finding], mine.stand_careful);
  }
  const auto& answers = law_.panels[number].answers;
  for (std::size_t i = 0; i < answers.size(); ++i) answer(answers[i], result, panel, panel.answers[i]);
}

}  // namespace hiple::law
