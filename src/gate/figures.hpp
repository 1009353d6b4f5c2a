#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gate/gates_config.hpp"
#include "gate/share.hpp"
#include "gate/truth.hpp"
#include "law/decision.hpp"
#include "law/law.hpp"

namespace hiple::gate {

/// One question. What needs the truth leaves out the cases whose truth in this question is missing.
struct QuestionFigures {
  std::string question;
  bool has_truth = false;                                            ///< gates.yaml says where it stands
  Outcomes outcomes;                                                 ///< of all rows, whether their truth is known or not
  std::uint64_t unknown = 0;                                         ///< rows whose truth is missing
  std::uint64_t right = 0, wrong = 0, abstained = 0, escalated = 0;  ///< of the others
  Share silent;       ///< of cases whose true finding is critical: decided with one that does not cover it
  Share strict;       ///< of the same: so, or abstained without an escalation
  Share over_triage;  ///< of the other cases: escalated
  Share decided;      ///< of all rows
  /// Of each true finding the answers: how often each finding was decided, then ABSTAIN and ESCALATE. [findings, findings + 2]
  std::vector<std::uint64_t> confusion;
  std::vector<std::string> findings;

  [[nodiscard]] Share coverage() const { return decided; }
  [[nodiscard]] Share accuracy() const { return {right, right + wrong + abstained + escalated}; }  ///< of all with known truth
  [[nodiscard]] Share selective_risk() const { return {wrong, right + wrong}; }                    ///< of the decided ones
};

/// By what it is known which engines a case needs.
enum class Basis {
  none,            ///< by nothing: recall is not evaluable, and cases with true findings in two questions count as crossing
  annotated,       ///< columns of the data say so of each case
  stated,          ///< gates.yaml says so of each finding
  counterfactual,  ///< the flat decision (every engine, the same law) is not what the home engines alone give
};

/// What a boundary from one engine to another is worth: of the cases that cross it, those whose far side was consulted and
/// judged. By counterfactual it leads from the home engines to a question whose answer they do not give.
struct BoundaryFigures {
  std::string from, to;
  std::string panel;  ///< the lowest that holds both engines; empty by counterfactual
  Share recall;

  [[nodiscard]] std::string name() const { return to.empty() ? from : from + " -> " + to; }
};

/// Boundaries between members of one panel. A case is recalled where each of its boundaries in this panel is.
struct LevelFigures {
  std::string panel;
  std::size_t level = 0;  ///< 0 is the root
  Share recall;
};

/// What a run's decisions are worth on some rows (design: gates.md). Figures of cases leave out those with a missing truth in any
/// question that has one; `unknown` counts them.
struct Figures {
  std::uint64_t rows = 0, unknown = 0;
  std::uint64_t clusters = 0;  ///< 0 where cases are not clustered
  Share exact;                 ///< every question is right; an abstention and an escalation are not right
  Share coverage;              ///< of all rows: every question is decided
  Share selective_risk;        ///< of cases in which every question is decided: one is wrong
  Share generalised_risk;      ///< of all cases: so
  /// Cross-boundary cases, by `basis`. N are the engines needed, X those of them that are not at home: cases with X not empty,
  /// or where no home is annotated those with two engines or more in N, which is their X then.
  Basis basis = Basis::none;
  Share found;         ///< every true finding is decided, or escalated in its own question for its own sake
  Share recall;        ///< all of X was consulted and judged; by counterfactual the flat decision was given
  Share recall_links;  ///< so by home engines and links alone, without broadening; nothing where that was not decided
  Share pairs;         ///< (case, engine of X) of them, or (case, question): micro average
  Resampled pairs_interval;
  std::vector<BoundaryFigures> boundaries;  ///< ascending by name
  std::vector<BoundaryFigures> pooled;      ///< of these, those with too few cases, as one; or empty
  std::vector<LevelFigures> levels;
  Share silent, strict;              ///< of cases with a critical finding; see QuestionFigures, once a case
  Share silent_cross, strict_cross;  ///< of those among them that cross boundaries
  Share retention;                   ///< of cases that every engine together has right: right here too
  Paired against_flat;               ///< of all cases
  Mean cost;                         ///< share of the engines consulted
  Outcomes outcomes;                 ///< of all answers
  std::vector<QuestionFigures> questions;
};

/// What is measured: any decisions, a law's or a rival's, over the same judgments and the same rows. A rival that knows no law
/// leaves `consulted` full, and is compared by the same truth.
struct Measured {
  const law::Decisions& decisions;
  const Truth& truth;
  const LawFacts& law;
  const GatesConfig& gates;
  const std::vector<law::EngineJudgments>& engines;  ///< for whether an engine that was consulted had judged
  /// The same cases and the same law, decided by every engine, by the home engines alone, by these and links. Null: not compared.
  const law::Decisions* flat = nullptr;
  const law::Decisions* home = nullptr;
  const law::Decisions* links = nullptr;
  std::uint64_t seed = 0;  ///< of the resampling
};

/// Figures over the given rows (the test part). Critical misses and triage follow the true finding alone, not `also`.
Figures measure(const Measured& measured, std::span<const std::uint32_t> rows);

/// Boundaries with fewer cases than these are pooled.
std::uint64_t pooled_under(const Thresholds& thresholds);

std::string name_of(Basis basis);

/// A sentence for people: which definition of a cross-boundary case is in use.
std::string meaning_of(Basis basis, bool has_home);

/// The engines of each row that had judged it, consulted or not.
EngineSets judged_by(const law::Decisions& decisions, const std::vector<law::EngineJudgments>& engines);

/// Whether two sets of decisions give the same answer: the same finding, or neither decides and both call for a person or neither
/// does. What a gate escalates counts as the abstention that it was.
bool same_answer(const law::Decision& a, const law::Decision& b);

}  // namespace hiple::gate
