#include <algorithm>

#include "law/columnar_question.hpp"

namespace hiple::law::columnar {

namespace {

bool contains(const std::vector<std::size_t>& ascending, std::size_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

}  // namespace

void Compiler::answer(const Panel& panel, std::size_t number, std::size_t slot) {
  Question at{law_.questions[number], number, panel, {}, {}, nowhere, {}, {}};
  for (const std::size_t rule : scopes_.by_question[number])
    if (panel.in_scope[rule]) at.rules.push_back(rule);
  find_candidates(at);
  find_feared(at);
  split(at);
  find_firm(at);
  SlotAnswer answer;
  for (const Plane sole : at.sole) answer.decided.push_back(circuit_.both(at.decided, sole));
  answer.firm = at.firm;
  if (logic_.tracks()) answer.causes = causes(at);
  if (panel.number == law_.root) {
    compiled_.questions[number] = planes(at);
    note_waiting(at);
  }
  conditions_.set_answer(slot, std::move(answer));
}

void Compiler::find_candidates(Question& at) const {
  const std::size_t count = at.question.findings.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Plane holds = at.panel.holds[at.question.first_finding + i].yes;
    at.two = circuit_.either(at.two, circuit_.both(at.some, holds));
    at.some = circuit_.either(at.some, holds);
  }
  for (std::size_t i = 0; i < count; ++i)
    at.sole.push_back(circuit_.without(at.panel.holds[at.question.first_finding + i].yes, at.two));
}

/// A critical finding is feared while a rule for it may apply, unless an override surely stands, or it is covered.
void Compiler::find_feared(Question& at) const {
  for (const std::size_t number : at.rules) {
    const Rule& rule = law_.rules[number];
    const std::size_t critical = law_.findings[rule.finding].critical;
    if (critical == no_number) continue;
    const Proposition reading = conjoin_not(rules_[number]->when, beaten(rule, at.panel, true));
    const Plane open = circuit_.complement(reading.no);
    at.fears.push_back({number, reading, open});
    Plane covered = at.panel.holds[rule.finding].yes;
    for (const std::size_t finding : law_.critical[critical].covered_by)
      if (law_.findings[finding].question == at.number) covered = circuit_.either(covered, at.sole_of(finding));
    Plane& feared = at.feared.try_emplace(rule.finding, nowhere).first->second;
    feared = circuit_.either(feared, circuit_.without(open, covered));
  }
}

/// Where a law bars the sole candidate.
Plane Compiler::barred(const Question& at, const LawEntry& entry, const Proposition& reading) const {
  if (entry.kind == LawKind::escalate || law_.findings[entry.target].question != at.number) return nowhere;
  return circuit_.without(at.sole_of(entry.target), entry.kind == LawKind::forbid ? reading.no : reading.yes);
}

/// Where evidence about the case says another finding than the sole candidate, or its sources differ.
Plane Compiler::contradicted(const Question& at) const {
  if (heeded_.empty()) return nowhere;
  const Conditions::Heeded& evidence = heeded_[at.number];
  const Plane speaks = circuit_.either(logic_.any_plane(evidence.says), evidence.differs);
  Plane contradicted = nowhere;
  for (std::size_t i = 0; i < at.sole.size(); ++i)
    contradicted = circuit_.either(contradicted, circuit_.both(at.sole[i], circuit_.without(speaks, evidence.says[i])));
  return contradicted;
}

/// The steps a to g, of which the first that matches counts.
void Compiler::split(Question& at) const {
  Plane rest = everywhere;
  const auto take = [&](Plane matches) {
    const Plane taken = circuit_.both(rest, matches);
    rest = circuit_.without(rest, matches);
    return taken;
  };
  Plane called = nowhere, bars = nowhere, feared = nowhere, clash = at.two;
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& entry = law_.laws[i];
    if (entry.kind == LawKind::escalate && entry.target == at.number)
      called = circuit_.either(called, circuit_.complement(laws_[i].no));
    bars = circuit_.either(bars, barred(at, entry, laws_[i]));
  }
  for (const auto& [finding, plane] : at.feared) feared = circuit_.either(feared, plane);
  for (std::size_t i = 0; i < at.question.findings.size(); ++i) {
    const std::size_t finding = at.question.first_finding + i;
    for (const std::size_t other : law_.findings[finding].incompatible)
      clash = circuit_.either(clash, circuit_.both(at.panel.holds[finding].yes, at.panel.holds[other].yes));
  }
  at.called = take(called);
  at.critical = take(feared);
  at.conflict = take(clash);
  at.barred = take(bars);
  at.contradicted = take(contradicted(at));
  at.decided = take(at.some);
  at.open = rest;
  for (const std::size_t rule : at.rules) {
    const Plane waits = logic_.unknown(at.panel.stand[rule]);
    at.blocked = circuit_.either(at.blocked, waits);
    if (!law_.rules[rule].fallback) at.contested = circuit_.either(at.contested, circuit_.both(rules_[rule]->when.yes, waits));
  }
}

/// Read carefully: the finding holds, every rival is FALSE, escalate and forbid laws are FALSE, require laws TRUE.
void Compiler::find_firm(Question& at) const {
  const std::size_t first = at.question.first_finding, count = at.question.findings.size();
  // Findings other than each one are FALSE: from both ends, so that the cost is not quadratic.
  std::vector<Plane> before = {everywhere}, after = {everywhere};
  for (std::size_t i = 0; i < count; ++i) {
    before.push_back(circuit_.both(before.back(), at.panel.holds_careful[first + i].no));
    after.push_back(circuit_.both(after.back(), at.panel.holds_careful[first + count - 1 - i].no));
  }
  std::vector<Plane> allowed(count, everywhere);
  Plane allowed_all = everywhere;
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& entry = law_.laws[i];
    const Plane holds = entry.kind == LawKind::require ? laws_careful_[i].yes : laws_careful_[i].no;
    if (entry.kind == LawKind::escalate) {
      if (entry.target == at.number) allowed_all = circuit_.both(allowed_all, holds);
    } else if (law_.findings[entry.target].question == at.number) {
      Plane& plane = allowed[entry.target - first];
      plane = circuit_.both(plane, holds);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    Plane firm = circuit_.both(at.panel.holds_careful[first + i].yes, circuit_.both(before[i], after[count - 1 - i]));
    for (const std::size_t other : law_.findings[first + i].incompatible)
      firm = circuit_.both(firm, at.panel.holds_careful[other].no);
    firm = circuit_.both(circuit_.both(firm, allowed[i]), circuit_.both(allowed_all, at.sole[i]));
    at.settled = circuit_.either(at.settled, firm);
  }
  at.firm = circuit_.both(at.decided, at.settled);
}

/// A critical rule's condition is TRUE, or UNKNOWN while its finding is suspect; or evidence says a critical finding, or its
/// sources differ while that is suspect.
Plane Compiler::alive(const Question& at) const {
  Plane alive = nowhere;
  for (const std::size_t rule : at.rules) {
    const std::size_t critical = law_.findings[law_.rules[rule].finding].critical;
    if (critical == no_number) continue;
    const Proposition& when = rules_[rule]->when;
    alive = circuit_.either(alive, circuit_.either(when.yes, circuit_.both(logic_.unknown(when), suspects_[critical].yes)));
  }
  for (std::size_t i = 0; i < law_.critical.size() && !heeded_.empty(); ++i) {
    if (law_.findings[law_.critical[i].finding].question != at.number) continue;
    const Conditions::Heeded& evidence = heeded_[at.number];
    const Plane says = evidence.says[law_.critical[i].finding - at.question.first_finding];
    alive = circuit_.either(alive, circuit_.either(says, circuit_.both(evidence.differs, suspects_[i].yes)));
  }
  return alive;
}

QuestionPlanes Compiler::planes(const Question& at) const {
  QuestionPlanes planes;
  Plane named = nowhere;  // the barring law names whom
  for (std::size_t i = 0; i < law_.laws.size(); ++i)
    if (law_.laws[i].to) named = circuit_.either(named, barred(at, law_.laws[i], laws_[i]));
  const Plane abstains = circuit_.complement(circuit_.either(at.called, at.decided));
  const Plane moved = circuit_.both(abstains, alive(at));
  const Plane escalates = circuit_.either(circuit_.either(at.called, moved), circuit_.both(at.barred, named));
  const Plane contested = circuit_.both(at.open, at.contested);
  const Plane blocked = circuit_.both(at.open, circuit_.without(at.blocked, at.contested));
  const Plane no_rule = circuit_.without(at.open, circuit_.either(at.blocked, at.contested));
  const Plane law = circuit_.either(at.called, at.barred);
  Plane critical = circuit_.either(at.critical, moved);
  for (std::size_t i = 0; i < at.sole.size(); ++i)
    if (law_.findings[at.question.first_finding + i].critical != no_number)
      critical = circuit_.either(critical, circuit_.both(at.decided, at.sole[i]));
  const std::array<std::pair<Reason, Plane>, 7> reasons = {{{Reason::law, law},
                                                            {Reason::critical_not_excluded, at.critical},
                                                            {Reason::conflict, at.conflict},
                                                            {Reason::possible_defeater, contested},
                                                            {Reason::blocked, blocked},
                                                            {Reason::no_rule, no_rule},
                                                            {Reason::contradicted_by_evidence, at.contradicted}}};
  planes.code[0] = circuit_.without(abstains, escalates);
  for (const auto& [reason, plane] : reasons)
    for (unsigned bit = 0; bit < 3; ++bit)
      if (((static_cast<unsigned>(reason) >> bit) & 1) != 0) planes.code[1 + bit] = circuit_.either(planes.code[1 + bit], plane);
  planes.code[4] = at.firm;
  planes.code[5] = critical;
  cite(at, planes);
  return planes;
}

/// Of an answer that is no decision; of a decision that is not firm, what would make it so.
Causes Compiler::causes(const Question& at) const {
  Causes causes;
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& entry = law_.laws[i];
    if (entry.kind == LawKind::escalate && entry.target == at.number) logic_.add(causes, laws_[i].causes, at.called);
    logic_.add(causes, laws_[i].causes, circuit_.both(at.barred, barred(at, entry, laws_[i])));
  }
  for (const Fear& fear : at.fears)
    logic_.add(causes, fear.reading.causes, circuit_.both(at.critical, at.feared.at(law_.rules[fear.rule].finding)));
  const Plane waits = circuit_.either(at.barred, at.open);
  for (const std::size_t number : at.rules) {
    Plane cover = nowhere;
    for (const auto& [finding, feared] : at.feared)
      if (contains(law_.critical[law_.findings[finding].critical].covered_by, law_.rules[number].finding))
        cover = circuit_.either(cover, feared);
    logic_.add(causes, at.panel.stand[number].causes, circuit_.either(waits, circuit_.both(at.critical, cover)));
  }
  logic_.add(causes, firm_causes(at), circuit_.without(circuit_.either(at.decided, at.contradicted), at.settled));
  return causes;
}

Causes Compiler::firm_causes(const Question& at) const {
  std::map<std::size_t, Plane> concerned;  // findings, where they matter
  for (std::size_t i = 0; i < at.question.findings.size(); ++i) {
    const std::size_t finding = at.question.first_finding + i;
    concerned.try_emplace(finding, everywhere);
    for (const std::size_t other : law_.findings[finding].incompatible) {
      Plane& plane = concerned.try_emplace(other, nowhere).first->second;
      plane = circuit_.either(plane, at.sole[i]);
    }
  }
  Causes causes;
  for (const auto& [finding, plane] : concerned)
    for (const std::size_t rule : scopes_.by_finding[finding])
      if (at.panel.in_scope[rule]) logic_.add(causes, at.panel.stand_careful[rule].causes, plane);
  return causes;
}

/// Questions that are not decided wait for the engines that their causes name.
void Compiler::note_waiting(const Question& at) {
  if (!logic_.tracks()) return;
  for (const auto& [cause, plane] : causes(at)) {
    if (cause == other_cause) continue;
    Plane& waiting = compiled_.waiting[cause];
    waiting = circuit_.either(waiting, circuit_.without(plane, at.decided));
  }
}

}  // namespace hiple::law::columnar
