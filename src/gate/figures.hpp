#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gate/gates_config.hpp"
#include "law/decision.hpp"
#include "law/law.hpp"
#include "table/table.hpp"

namespace hiple::gate {

/// A count of cases among n. Never a ratio without its counts.
struct Share {
  std::uint64_t count = 0, n = 0;

  void add(bool counts) {
    ++n;
    if (counts) ++count;
  }
  [[nodiscard]] double ratio() const;  ///< NaN without cases
  [[nodiscard]] double lower() const;  ///< one-sided exact bounds at 95 %; NaN without cases
  [[nodiscard]] double upper() const;
};

/// A mean of n values from 0 to 1.
struct Mean {
  double sum = 0;
  std::uint64_t n = 0;

  [[nodiscard]] double value() const;  ///< NaN without cases
  [[nodiscard]] double lower() const;  ///< one-sided bounds at 95 % (Hoeffding), cut to [0, 1]
  [[nodiscard]] double upper() const;
};

inline constexpr std::size_t reason_count = 7;  ///< of law::Reason

/// How many answers were decided, abstained from, escalated.
struct Outcomes {
  std::uint64_t decided = 0, abstained = 0, escalated = 0;
  std::array<std::uint64_t, reason_count> abstained_for{}, escalated_for{};  ///< by law::Reason

  void add(const law::Decision& decision);
  void add(const Outcomes& other);
  [[nodiscard]] std::uint64_t total() const { return decided + abstained + escalated; }
};

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

  [[nodiscard]] Share coverage() const { return {outcomes.decided, outcomes.total()}; }
  [[nodiscard]] Share accuracy() const { return {right, right + wrong + abstained + escalated}; }  ///< of all with known truth
  [[nodiscard]] Share selective_risk() const { return {wrong, right + wrong}; }                    ///< of the decided ones
};

/// What a run's decisions are worth on some rows (design: gates.md). Figures of cases leave out those with a missing truth in any
/// question that has one; `unknown` counts them.
struct Figures {
  std::uint64_t rows = 0, unknown = 0;
  Share exact;     ///< every question is right; an abstention and an escalation are not right
  Share coverage;  ///< of all rows: every question is decided
  /// Cross-boundary cases. With `needed` in gates.yaml: more than one engine is needed for their true findings; without: true
  /// findings that are no default in more than one question.
  Share found;           ///< every true finding is decided, or escalated in its own question
  Share recall;          ///< every needed engine was consulted and judged; without `needed` in gates.yaml not evaluable
  Share silent, strict;  ///< of cases with a critical finding; see QuestionFigures, once a case
  Share silent_cross, strict_cross;  ///< of those among them that cross boundaries
  Mean cost;                         ///< share of the engines consulted
  Outcomes outcomes;                 ///< of all answers
  std::vector<QuestionFigures> questions;
  bool needed_is_stated = false;
};

/// The right answers, row after row as the decisions are: indices into Decisions::findings[question], or no_index.
struct Truth {
  std::vector<bool> known_question;       ///< whether gates.yaml says where the answers stand
  std::vector<std::uint16_t> gold, also;  ///< [cases, questions]
};

/// Throws Error where the table's cases are not those of the decisions.
Truth read_truth(const GatesConfig& config, const law::Decisions& decisions, const Table& table);

/// What the figures need to know of a law.
struct LawFacts {
  std::map<std::string, std::vector<std::string>> covered_by;  ///< of each critical "question.finding", itself included
  std::map<std::string, std::string> defaults;                 ///< of each question; empty where there is none
};
LawFacts facts_of(const law::Law& law);

/// What is measured.
struct Measured {
  const law::Decisions& decisions;
  const Truth& truth;
  const LawFacts& law;
  const GatesConfig& gates;
  const std::vector<law::EngineJudgments>& engines;  ///< for whether an engine that was consulted had judged
};

/// Figures over the given rows (the test part). Critical misses and triage follow the true finding alone, not `also`.
Figures measure(const Measured& measured, std::span<const std::uint32_t> rows);

}  // namespace hiple::gate
