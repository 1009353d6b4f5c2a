#pragma once

#include <vector>

#include "law/evaluate.hpp"

namespace hiple::law {

/// Which rules each panel reads, worked out once for a law.
struct Scopes {
  struct Entry {
    std::size_t rule = 0;
    std::size_t from = no_number;  ///< the member panel that has read its condition already; none: this panel reads it
  };
  explicit Scopes(const Law::Model& law);

  std::vector<std::vector<Entry>> rules;              ///< of each panel: overriders before what they override
  std::vector<bool> differs;                          ///< of each rule: its condition has a careful reading of its own
  std::vector<bool> law_differs;                      ///< of each law
  std::vector<std::vector<std::size_t>> by_question;  ///< rules in force, ascending
  std::vector<std::vector<std::size_t>> by_finding;   ///< rules in force, ascending
  std::vector<bool> is_inactive;                      ///< of each cause: an engine that nobody called
};

/// Resolves one panel: which rules stand, which findings hold, and from them the answer to every question that it answers.
class Resolver {
 public:
  Resolver(const Law::Model& law, const Scopes& scopes);

  /// Laws, `suspect` and evidence about findings, which are the same for every panel.
  void read_laws(const condition::View& plain, const condition::View& careful, CaseResult& result) const;
  void resolve(std::size_t panel, const condition::View& plain, const condition::View& careful, CaseResult& result);

 private:
  void read_when(const Rule& rule, bool differs, const condition::View& plain, const condition::View& careful,
                 RuleResult& result) const;
  void read_stand(const Rule& rule, PanelResult& panel) const;
  void beaten(const Rule& rule, const PanelResult& panel, Reading RuleResult::*stand, Reading& out) const;
  [[nodiscard]] bool only_inactive(const condition::CauseSet& causes) const;

  // resolver_answer.cpp: steps 4 to 6 of "Resolution" in the specification, one function a letter.
  struct Question;
  void answer(std::size_t question, const CaseResult& result, const PanelResult& panel, Answer& answer) const;
  void find_candidates(Question& at) const;
  void find_feared(Question& at) const;
  [[nodiscard]] bool called(Question& at, const CaseResult& result) const;
  [[nodiscard]] bool critical_not_excluded(Question& at) const;
  [[nodiscard]] bool conflict(Question& at) const;
  [[nodiscard]] bool barred(Question& at, const CaseResult& result) const;
  [[nodiscard]] bool contradicted(Question& at, const CaseResult& result) const;
  [[nodiscard]] bool decided(Question& at) const;
  void cite_sole(Question& at) const;
  void undecided(Question& at) const;
  void escalate(Question& at, const CaseResult& result) const;
  void find_firm(Question& at, const CaseResult& result) const;
  void escalate_by_evidence(Question& at, const CaseResult& result) const;

  const Law::Model& law_;
  const Scopes& scopes_;
  std::vector<Reading> holds_, holds_careful_;  ///< of each finding
};

}  // namespace hiple::law
