#include <algorithm>

#include "law/kleene.hpp"
#include "law/resolver.hpp"

namespace hiple::law {

namespace {

bool contains(const std::vector<std::size_t>& ascending, std::size_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

void sort_unique(std::vector<std::size_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

/// One question while it is answered. All questions are read off `holds`, so that none comes first.
struct Resolver::Question {
  const law::Question& question;
  std::size_t number;
  const std::vector<std::size_t>& rules;  ///< for its findings, ascending; those of other panels are not in scope
  const PanelResult& panel;
  Answer& answer;

  std::vector<std::size_t> candidates;  ///< findings that hold
  std::size_t one = no_number;          ///< the sole candidate
  struct Fear {
    std::size_t rule;
    Reading reading;
  };
  std::vector<Fear> fears;          ///< rules of critical findings that are not dismissed
  std::vector<std::size_t> feared;  ///< critical findings that are not excluded
  std::vector<std::size_t> bars;    ///< laws

  /// Calls `use` for each rule of the question that the panel reads.
  template <class Use>
  void for_each_rule(Use use) const {
    for (const std::size_t rule : rules)
      if (panel.rules[rule].in_scope) use(rule, panel.rules[rule]);
  }
  void abstain(Reason reason) const {
    answer.status = Status::abstain;
    answer.reason = reason;
  }
};

void Resolver::answer(std::size_t number, const CaseResult& result, const PanelResult& panel, Answer& answer) const {
  answer.question = number;
  answer.finding = no_number;
  answer.firm = answer.critical = answer.by_gate = false;
  answer.causes.clear();
  answer.cited.clear();
  answer.to.clear();
  Question at{law_.questions[number], number, scopes_.by_question[number], panel, answer, {}, no_number, {}, {}, {}};
  find_candidates(at);
  find_feared(at);
  if (!called(at, result) && !critical_not_excluded(at) && !conflict(at) && !barred(at, result) && !contradicted(at, result) &&
      !decided(at))
    undecided(at);
  if (answer.status == Status::abstain) escalate(at, result);
  if (answer.status == Status::decide) find_firm(at, result);
  sort_unique(answer.cited);
  std::sort(answer.to.begin(), answer.to.end());
  answer.to.erase(std::unique(answer.to.begin(), answer.to.end()), answer.to.end());
}

void Resolver::find_candidates(Question& at) const {
  for (std::size_t i = 0; i < at.question.findings.size(); ++i) {
    const std::size_t finding = at.question.first_finding + i;
    if (holds_[finding].value == Truth::yes) at.candidates.push_back(finding);
  }
  if (at.candidates.size() == 1) at.one = at.candidates.front();
}

/// A critical finding is feared while a rule for it may apply, unless an override surely stands, or it is covered.
void Resolver::find_feared(Question& at) const {
  at.for_each_rule([&](std::size_t number, const RuleResult& result) {
    const Rule& rule = law_.rules[number];
    const std::size_t critical = law_.findings[rule.finding].critical;
    if (critical == no_number || result.when.value == Truth::no) return;
    Reading fear = result.when, out;
    beaten(rule, at.panel, &RuleResult::stand_careful, out);
    conjoin_not(fear, out);
    if (fear.value == Truth::no) return;
    at.fears.push_back({number, fear});
    const bool holds = contains(at.candidates, rule.finding);
    const bool covered = at.one != no_number && contains(law_.critical[critical].covered_by, at.one);
    if (!holds && !covered) at.feared.push_back(rule.finding);
  });
  sort_unique(at.feared);
}

/// a. An escalate law of the question is not FALSE.
bool Resolver::called(Question& at, const CaseResult& result) const {
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& law = law_.laws[i];
    if (law.kind != LawKind::escalate || law.target != at.number || result.laws[i].value == Truth::no) continue;
    at.answer.causes.add(result.laws[i].causes);
    at.answer.cited.push_back(law.record);
    at.answer.to.push_back(law.to.value_or("person"));
  }
  if (at.answer.cited.empty()) return false;
  at.answer.status = Status::escalate;
  at.answer.reason = Reason::law;
  return true;
}

/// b. A critical finding neither holds nor is covered, and is not dismissed.
bool Resolver::critical_not_excluded(Question& at) const {
  if (at.feared.empty()) return false;
  at.abstain(Reason::critical_not_excluded);
  at.answer.critical = true;
  for (const Question::Fear& fear : at.fears) {
    if (!contains(at.feared, law_.rules[fear.rule].finding)) continue;
    at.answer.cited.push_back(law_.rules[fear.rule].record);
    at.answer.causes.add(fear.reading.causes);
  }
  std::vector<std::size_t> cover;
  for (const std::size_t finding : at.feared) {
    const auto& by = law_.critical[law_.findings[finding].critical].covered_by;
    cover.insert(cover.end(), by.begin(), by.end());
  }
  sort_unique(cover);
  at.for_each_rule([&](std::size_t rule, const RuleResult& result) {
    if (result.stand.value == Truth::unknown && contains(cover, law_.rules[rule].finding))
      at.answer.causes.add(result.stand.causes);
  });
  return true;
}

/// c. Two findings hold, or one and an incompatible one elsewhere: all that hold are named.
bool Resolver::conflict(Question& at) const {
  std::vector<std::size_t> involved = at.candidates;
  bool clash = at.candidates.size() > 1;
  for (const std::size_t finding : at.candidates)
    for (const std::size_t other : law_.findings[finding].incompatible) {
      if (holds_[other].value != Truth::yes) continue;
      involved.push_back(other);
      clash = true;
    }
  if (!clash) return false;
  at.abstain(Reason::conflict);
  sort_unique(involved);
  for (const std::size_t finding : involved)
    for (const std::size_t rule : scopes_.by_finding[finding])
      if (at.panel.rules[rule].in_scope && at.panel.rules[rule].stand.value == Truth::yes)
        at.answer.cited.push_back(law_.rules[rule].record);
  return true;
}

/// d. The sole candidate is forbidden (not FALSE), or required (not TRUE).
bool Resolver::barred(Question& at, const CaseResult& result) const {
  if (at.one == no_number) return false;
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& law = law_.laws[i];
    if (law.kind == LawKind::escalate || law.target != at.one) continue;
    if (result.laws[i].value == (law.kind == LawKind::forbid ? Truth::no : Truth::yes)) continue;
    at.answer.causes.add(result.laws[i].causes);
    at.answer.cited.push_back(law.record);
    if (law.to) at.answer.to.push_back(*law.to);
  }
  if (at.answer.cited.empty()) return false;
  at.abstain(Reason::law);
  at.for_each_rule([&](std::size_t, const RuleResult& rule) {
    if (rule.stand.value == Truth::unknown) at.answer.causes.add(rule.stand.causes);
  });
  return true;
}

/// e. Evidence about the case says another finding than the sole candidate, or its sources differ. What is not known could still
/// change the candidate, and is waited for.
bool Resolver::contradicted(Question& at, const CaseResult& result) const {
  if (at.one == no_number || result.evidence.empty()) return false;
  const auto& [state, finding] = result.evidence[at.number];
  if (state == condition::Field::State::missing || finding == at.one) return false;
  find_firm(at, result);
  at.answer.firm = false;
  at.abstain(Reason::contradicted_by_evidence);
  if (state == condition::Field::State::invalid) at.answer.causes.add(law_.heeded[at.number].cause + 1);
  cite_sole(at);
  return true;
}

void Resolver::cite_sole(Question& at) const {
  at.for_each_rule([&](std::size_t rule, const RuleResult& result) {
    if (law_.rules[rule].finding == at.one && result.stand.value == Truth::yes)
      at.answer.cited.push_back(law_.rules[rule].record);
  });
}

/// f. The sole candidate, with every standing rule for it.
bool Resolver::decided(Question& at) const {
  if (at.one == no_number) return false;
  at.answer.status = Status::decide;
  at.answer.reason = Reason::none;
  at.answer.finding = at.one;
  at.answer.critical = law_.findings[at.one].critical != no_number;
  cite_sole(at);
  return true;
}

/// g. A rule is true and waits for its defeater; or rules are blocked; or no rule applies.
void Resolver::undecided(Question& at) const {
  std::vector<std::size_t> contested, open;
  at.for_each_rule([&](std::size_t rule, const RuleResult& result) {
    if (result.stand.value != Truth::unknown) return;
    at.answer.causes.add(result.stand.causes);
    open.push_back(law_.rules[rule].record);
    if (result.when.value == Truth::yes && !law_.rules[rule].fallback) contested.push_back(law_.rules[rule].record);
  });
  at.abstain(!contested.empty() ? Reason::possible_defeater : !open.empty() ? Reason::blocked : Reason::no_rule);
  at.answer.cited = contested.empty() ? open : contested;
}

/// An abstention escalates where a critical rule's condition is TRUE, or UNKNOWN while its finding is suspect, where evidence
/// says a critical finding, or where the barring law names whom.
void Resolver::escalate(Question& at, const CaseResult& result) const {
  at.for_each_rule([&](std::size_t rule, const RuleResult& read) {
    const std::size_t critical = law_.findings[law_.rules[rule].finding].critical;
    if (critical == no_number || read.when.value == Truth::no) return;
    if (read.when.value == Truth::unknown && result.suspects[critical].value != Truth::yes) return;
    at.answer.to.push_back(law_.critical[critical].to);
    at.answer.critical = true;
  });
  escalate_by_evidence(at, result);
  if (!at.answer.to.empty()) at.answer.status = Status::escalate;
}

/// As if it were a rule for each critical finding: TRUE where evidence says it, UNKNOWN where its sources differ.
void Resolver::escalate_by_evidence(Question& at, const CaseResult& result) const {
  if (result.evidence.empty()) return;
  const auto& [state, finding] = result.evidence[at.number];
  for (std::size_t i = 0; i < law_.critical.size(); ++i) {
    const Critical& critical = law_.critical[i];
    if (law_.findings[critical.finding].question != at.number) continue;
    const bool suspected = state == condition::Field::State::invalid && result.suspects[i].value == Truth::yes;
    if (finding != critical.finding && !suspected) continue;
    at.answer.to.push_back(critical.to);
    at.answer.critical = true;
  }
}

/// Read carefully: the finding holds, every rival is FALSE, escalate and forbid laws are FALSE, require laws TRUE. A decision
/// that is not firm says what would make it so.
void Resolver::find_firm(Question& at, const CaseResult& result) const {
  std::vector<std::size_t> rivals = law_.findings[at.one].incompatible;
  for (std::size_t i = 0; i < at.question.findings.size(); ++i)
    if (at.question.first_finding + i != at.one) rivals.push_back(at.question.first_finding + i);
  bool firm = holds_careful_[at.one].value == Truth::yes;
  for (const std::size_t rival : rivals) firm = firm && holds_careful_[rival].value == Truth::no;
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& law = law_.laws[i];
    const bool concerns = law.kind == LawKind::escalate ? law.target == at.number : law.target == at.one;
    if (concerns) firm = firm && result.laws_careful[i].value == (law.kind == LawKind::require ? Truth::yes : Truth::no);
  }
  at.answer.firm = firm;
  if (firm) return;
  rivals.push_back(at.one);
  for (const std::size_t finding : rivals)
    for (const std::size_t rule : scopes_.by_finding[finding]) {
      const RuleResult& read = at.panel.rules[rule];
      if (read.in_scope && read.stand_careful.value == Truth::unknown) at.answer.causes.add(read.stand_careful.causes);
    }
}

}  // namespace hiple::law
