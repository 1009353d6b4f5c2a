#include "gate/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "gate/crossing.hpp"

namespace hiple::gate {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_known(const Measured& measured, std::size_t row) {
  bool known = true, any = false;
  const std::size_t questions = measured.decisions.questions.size();
  for (std::size_t q = 0; q < questions; ++q) {
    if (!measured.truth.known_question[q]) continue;
    any = true;
    known = known && measured.truth.gold[row * questions + q] != law::no_index;
  }
  return known && any;
}

std::span<const std::uint64_t> asked(const law::Decisions& decisions, std::size_t row) {
  return {decisions.consulted.data() + row * decisions.words(), decisions.words()};
}

CostPoint point(const Measured& measured, const std::string& name, std::span<const std::uint32_t> rows) {
  CostPoint result;
  result.name = name;
  Crossing crossing(measured);
  double cost = 0;
  for (const std::uint32_t row : rows) {
    cost += static_cast<double>(size_of(asked(measured.decisions, row)));
    if (!crossing.knows(row) || (crossing.needs_truth() && !is_known(measured, row))) continue;
    const Crossed crossed = crossing.of(row);
    if (crossed.crosses) result.counts.add(crossed.recalled);
  }
  const auto all = static_cast<double>(rows.size() * measured.decisions.engines.size());
  result.cost = all > 0 ? cost / all : nan;
  result.recall = result.counts.ratio();
  return result;
}

/// Every engine that is not at home is asked with one probability: the recall is the mean of its power by the engines wanted.
std::vector<CostPoint> chance(const Measured& measured, std::span<const std::uint32_t> rows) {
  std::vector<CostPoint> points;
  if (measured.home == nullptr || measured.flat == nullptr) return points;
  const Measured homes{*measured.home, measured.truth, measured.law, measured.gates, measured.engines,
                       measured.flat,  measured.home,  nullptr,      measured.seed};
  const Measured everybody{*measured.flat, measured.truth, measured.law, measured.gates, measured.engines,
                           measured.flat,  measured.home,  nullptr,      measured.seed};
  Crossing near(homes), far(everybody);
  std::vector<std::uint64_t> wanting;  // of each crossing case that all engines recall: engines that home lacks
  std::uint64_t lost = 0;
  double home_cost = 0;
  for (const std::uint32_t row : rows) {
    home_cost += static_cast<double>(size_of(asked(*measured.home, row)));
    if (!near.knows(row) || (near.needs_truth() && !is_known(measured, row))) continue;
    const Crossed had = near.of(row);
    if (!had.crosses) continue;
    if (far.of(row).recalled) {
      wanting.push_back(had.pairs - had.pairs_recalled);
    } else {
      ++lost;
    }
  }
  const auto all = static_cast<double>(rows.size() * measured.decisions.engines.size());
  for (int step = 0; step <= 20; ++step) {
    const double p = step / 20.0, home = all > 0 ? home_cost / all : nan;
    double sum = 0;
    for (const std::uint64_t count : wanting) sum += std::pow(p, static_cast<double>(count));
    const auto cases = static_cast<double>(wanting.size() + lost);
    points.push_back({"chance", home + p * (1 - home), cases > 0 ? sum / cases : nan, {}});
  }
  return points;
}

}  // namespace

std::vector<CostPoint> cost_curve(const Measured& measured,
                                  std::span<const std::pair<std::string, const law::Decisions*>> choices,
                                  std::span<const std::uint32_t> rows) {
  std::vector<CostPoint> points;
  for (const auto& [name, decisions] : choices) {
    if (decisions->case_id != measured.decisions.case_id) throw Error("decisions that are compared are of other cases");
    points.push_back(point({*decisions, measured.truth, measured.law, measured.gates, measured.engines, measured.flat,
                            measured.home, nullptr, measured.seed},
                           name, rows));
  }
  if (Crossing(measured).basis() == Basis::counterfactual) return points;
  for (CostPoint& reference : chance(measured, rows)) points.push_back(std::move(reference));
  return points;
}

RiskCurve risk_curve(std::vector<Scored> cases) {
  RiskCurve curve;
  curve.n = cases.size();
  if (cases.empty()) {
    curve.coverage = curve.aurc = curve.augrc = nan;
    return curve;
  }
  std::erase_if(cases, [](const Scored& one) { return !one.decided; });
  if (std::any_of(cases.begin(), cases.end(), [](const Scored& one) { return std::isnan(one.score); }))
    throw Error("a score is not a number");
  std::sort(cases.begin(), cases.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  const auto n = static_cast<double>(curve.n);
  RiskPoint at;
  for (std::size_t begin = 0; begin < cases.size();) {
    std::size_t end = begin;
    std::uint64_t wrong = 0;
    for (; end < cases.size() && cases[end].score == cases[begin].score; ++end)
      if (cases[end].wrong) ++wrong;
    const double share = static_cast<double>(wrong) / static_cast<double>(end - begin);
    for (std::size_t i = 1; i <= end - begin; ++i) {
      const double errors = static_cast<double>(at.wrong) + share * static_cast<double>(i);
      curve.aurc += errors / static_cast<double>(begin + i) / n;
      curve.augrc += errors / n / n;
    }
    at = {cases[begin].score, end, at.wrong + wrong};
    curve.points.push_back(at);
    begin = end;
  }
  curve.coverage = static_cast<double>(cases.size()) / n;
  return curve;
}

std::vector<double> scores_of(const law::Decisions& decisions, const std::vector<law::EngineJudgments>& engines) {
  constexpr double nobody = 2;
  std::vector<double> scores(decisions.cases(), nobody);
  for (std::size_t number = 0; number < decisions.engines.size(); ++number) {
    const auto found = std::find_if(engines.begin(), engines.end(), [&](const law::EngineJudgments& engine) {
      return engine.name == decisions.engines[number].name;
    });
    if (found == engines.end() || found->judgments == nullptr) continue;
    const Judgments& judgments = *found->judgments;
    std::size_t at = 0;
    for (std::size_t row = 0; row < decisions.cases(); ++row) {
      while (at < judgments.size() && judgments.case_id[at] < decisions.case_id[row]) ++at;
      if (at == judgments.size()) break;
      const bool said = judgments.case_id[at] == decisions.case_id[row] && judgments.status[at] == JudgmentStatus::judged &&
                        contains(asked(decisions, row), number) && !std::isnan(judgments.confidence[at]);
      if (said) scores[row] = std::min(scores[row], static_cast<double>(judgments.confidence[at]));
    }
  }
  for (double& score : scores)
    if (score == nobody) score = 0;
  return scores;
}

std::vector<Scored> scored_cases(const Measured& measured, std::span<const double> scores, std::span<const std::uint32_t> rows) {
  std::vector<Scored> cases;
  const std::size_t questions = measured.decisions.questions.size();
  for (const std::uint32_t row : rows) {
    if (!is_known(measured, row)) continue;
    Scored one{true, scores[row], false};
    for (std::size_t q = 0; q < questions; ++q) {
      const law::Decision& decision = measured.decisions.at(row, q);
      one.decided = one.decided && decision.status == law::Status::decide;
      if (!measured.truth.known_question[q] || decision.status != law::Status::decide) continue;
      const std::size_t at = row * questions + q;
      const bool right = decision.finding == measured.truth.gold[at] ||
                         (measured.truth.also[at] != law::no_index && decision.finding == measured.truth.also[at]);
      one.wrong = one.wrong || !right;
    }
    cases.push_back(one);
  }
  return cases;
}

}  // namespace hiple::gate
