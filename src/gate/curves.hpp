#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gate/figures.hpp"

namespace hiple::gate {

/// One way to choose engines: what it costs and what it recalls.
struct CostPoint {
  std::string name;   ///< "home", "round 1", "links", "as decided", "all"; "chance" for the reference
  double cost = 0;    ///< mean share of engines consulted
  double recall = 0;  ///< cross-boundary; NaN without cases
  Share counts;       ///< of the recall; of "chance" 0 of 0, since it is computed, not counted
};

/// Recall over cost for several decisions of the same cases, each with a name. Where engines are known to be needed, also the
/// reference: every engine that is not at home by the law is asked with the same probability, and so at 0, .05 ... 1.
std::vector<CostPoint> cost_curve(const Measured& measured,
                                  std::span<const std::pair<std::string, const law::Decisions*>> choices,
                                  std::span<const std::uint32_t> rows);

/// Where cases from a score on are accepted.
struct RiskPoint {
  double score = 0;
  std::uint64_t accepted = 0, wrong = 0;
};

/// Risk over coverage (El-Yaniv and Wiener, "On the foundations of noise-free selective classification", JMLR 2010). Cases that
/// are not decided are never accepted and stay in the denominator: the curve ends at `coverage`.
struct RiskCurve {
  std::vector<RiskPoint> points;  ///< one a different score, from the surest on: cases of equal score are accepted together
  std::uint64_t n = 0;
  double coverage = 0;  ///< NaN without cases
  double aurc = 0;      ///< area under wrong/accepted, up to `coverage`; NaN without cases
  double augrc =
      0;  ///< area under wrong/all (Traub et al., "Overcoming common flaws in the evaluation of selective classification", 2024)
};

/// One case: whether all is decided, how sure that is, and whether any of it is wrong.
struct Scored {
  bool decided = false;
  double score = 0;
  bool wrong = false;
};

/// Areas are means over cases in the order of their scores, those of equal score in any order: the expected value is taken.
RiskCurve risk_curve(std::vector<Scored> cases);

/// How sure each row's decisions are: the least confidence among the engines that were consulted and judged; 0 where there is
/// none. A law has no confidence of its own.
std::vector<double> scores_of(const law::Decisions& decisions, const std::vector<law::EngineJudgments>& engines);

/// Cases with a known truth in every question that has one.
std::vector<Scored> scored_cases(const Measured& measured, std::span<const double> scores, std::span<const std::uint32_t> rows);

}  // namespace hiple::gate
