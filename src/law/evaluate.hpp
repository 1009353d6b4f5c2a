#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "law/inputs.hpp"
#include "law/model.hpp"

namespace hiple::law {

/// A truth value, and why it is unknown.
struct Reading {
  condition::Truth value = condition::Truth::no;
  condition::CauseSet causes;  ///< empty unless unknown
};

/// What became of one rule in one panel.
struct RuleResult {
  bool in_scope = false;  ///< in force, and of the panel's subtree
  Reading when, when_careful;
  Reading stand, stand_careful;
};

/// The answer to one question, by one panel.
struct Answer {
  std::size_t question = 0;
  Status status = Status::abstain;
  Reason reason = Reason::no_rule;
  std::size_t finding = no_number;  ///< index into Model::findings, if decided
  bool firm = false;                ///< of the root: not where rounds were capped
  condition::CauseSet causes;       ///< of an abstention; of a decision: what would make it firm
  std::vector<std::size_t> cited;   ///< rules or laws, indices into Model::records, ascending
  std::vector<std::string> to;      ///< of an escalation: to whom, ascending
  bool critical = false;            ///< a critical finding is decided, is not excluded, or made it escalate
  bool by_gate = false;             ///< it would abstain, and escalates because a gate closed the partition
};

/// One panel's resolution.
struct PanelResult {
  std::vector<RuleResult> rules;  ///< one a rule of the model
  std::vector<Answer> answers;    ///< one for each of Panel::answers
};

/// What evidence says of the finding of one question.
struct HeededEvidence {
  condition::Field::State state = condition::Field::State::missing;  ///< invalid: its sources differ
  std::size_t finding = no_number;                                   ///< index into Model::findings, if known
};

/// One set of active engines, and what was added to it.
struct Round {
  std::vector<std::size_t> active;  ///< engines, ascending
  std::vector<std::size_t> links;   ///< that fired, indices into Model::links
  std::optional<Ring> broadened;    ///< no link reached a new engine, and this ring did
  std::vector<std::size_t> added;   ///< engines; empty in the last round, or where it was capped
};

/// Everything about one case.
struct CaseResult {
  std::vector<PanelResult> panels;          ///< at the last set of active engines, one a panel of the model
  std::vector<Reading> laws, laws_careful;  ///< one a law
  std::vector<Reading> suspects;            ///< one a critical finding, read plainly
  std::vector<HeededEvidence> evidence;     ///< one a question; empty where the law heeds none
  std::size_t home = no_number;             ///< which entry of the route it took; none: all engines are home
  std::vector<bool> active;                 ///< one an engine, at the end
  std::vector<Round> trace;                 ///< one more than `rounds`
  std::size_t rounds = 0;
  bool broadened = false, capped = false;

  /// The answers to all questions, in their order.
  [[nodiscard]] const std::vector<Answer>& answers(const Law::Model& law) const { return panels[law.root].answers; }
};

/// Decides cases one after the other and keeps its memory between them. One for each thread.
class Evaluator {
 public:
  Evaluator(const Law::Model& law, const Inputs& inputs);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  /// The result is valid until the next call.
  const CaseResult& run(std::size_t row);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// Decides one case, by an Evaluator; so does decide().
CaseResult evaluate_case(const Law::Model& law, const Inputs& inputs, std::size_t row);

/// What a condition sees of one case at the end of its evaluation: to evaluate premises again. `result` may be of any round.
class CaseView : public condition::View {
 public:
  CaseView(const Inputs& inputs, std::size_t row, const Law::Model& law, const CaseResult& result, bool careful)
      : inputs_(&inputs), row_(row), law_(&law), result_(&result), careful_(careful) {}

  [[nodiscard]] condition::Field column(std::size_t index) const override { return inputs_->field(row_, index); }
  [[nodiscard]] condition::Voice engine(std::size_t index) const override;
  [[nodiscard]] condition::PanelFinding finding(std::size_t index) const override;
  [[nodiscard]] bool careful() const override { return careful_; }

 private:
  const Inputs* inputs_;
  std::size_t row_;
  const Law::Model* law_;
  const CaseResult* result_;
  bool careful_;
};

}  // namespace hiple::law
