#include "gate/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "gate/bounds.hpp"

namespace hiple::gate {

namespace {

/// How many cases would have to pass without a single miss to pass at all; 0 where no number of cases would do.
std::uint64_t needed_for(bool at_most, double threshold) {
  const double rate = at_most ? threshold : 1 - threshold;
  if (rate >= 1) return 1;
  return rate > 0 ? needed_cases(rate) : 0;
}

std::string why_open(const Share& share, bool at_most, double threshold) {
  if (share.n == 0) return "nothing to measure";
  const std::uint64_t needed = needed_for(at_most, threshold);
  if (needed == 0) return "no number of cases can prove it";
  if (share.n < needed) return "needs n >= " + std::to_string(needed);
  return "neither is proved";
}

/// A threshold on `value`, whose bounds are `lower` and `upper`. NaN passes no comparison, so it stays open.
Verdict compare(double lower, double upper, bool at_most, double threshold) {
  if (at_most ? upper <= threshold : lower >= threshold) return Verdict::pass;
  if (at_most ? lower > threshold : upper < threshold) return Verdict::fail;
  return Verdict::not_evaluable;
}

Gate gate_of(const std::string& name, const std::string& title, const Share& share, bool at_most, double threshold) {
  Gate gate;
  gate.name = name;
  gate.title = title;
  gate.counts = std::to_string(share.count) + "/" + std::to_string(share.n);
  gate.at_most = at_most;
  gate.value = share.ratio();
  gate.bound = at_most ? share.upper() : share.lower();
  gate.threshold = threshold;
  gate.verdict = compare(share.lower(), share.upper(), at_most, threshold);
  if (gate.verdict == Verdict::not_evaluable) gate.why = why_open(share, at_most, threshold);
  return gate;
}

Gate cost_gate(const Mean& mean, double threshold) {
  Gate gate;
  gate.name = "cost";
  gate.title = "share of engines consulted";
  gate.counts = "mean of " + std::to_string(mean.n);
  gate.at_most = true;
  gate.value = mean.value();
  gate.bound = mean.upper();
  gate.threshold = threshold;
  gate.verdict = compare(mean.lower(), mean.upper(), true, threshold);
  if (gate.verdict == Verdict::not_evaluable) gate.why = mean.n == 0 ? "nothing to measure" : "neither is proved";
  return gate;
}

/// Failed before open before passed, and within the same verdict the one nearest to failing.
bool worse(const Gate& a, const Gate& b) {
  const auto rank = [](Verdict verdict) { return verdict == Verdict::fail ? 0 : verdict == Verdict::not_evaluable ? 1 : 2; };
  if (a.verdict != b.verdict) return rank(a.verdict) < rank(b.verdict);
  if (std::isnan(a.bound) || std::isnan(b.bound)) return std::isnan(a.bound) && !std::isnan(b.bound);
  return a.at_most ? a.bound > b.bound : a.bound < b.bound;
}

/// The gate of the worst question: where every question must pass, none hides behind the others.
template <class Select>
Gate worst_of(const std::string& name, const std::string& title, const Figures& figures, bool needs_truth, Select select,
              bool at_most, double threshold) {
  std::vector<Gate> gates;
  for (const QuestionFigures& question : figures.questions) {
    if (needs_truth && !question.has_truth) continue;
    gates.push_back(gate_of(name, title, select(question), at_most, threshold));
    Gate& gate = gates.back();
    gate.why = "worst: " + question.question + (gate.why.empty() ? "" : ", " + gate.why);
  }
  if (gates.empty()) return gate_of(name, title, {}, at_most, threshold);
  return *std::min_element(gates.begin(), gates.end(), worse);
}

}  // namespace

std::string name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::fail:
      return "FAIL";
    case Verdict::not_evaluable:
      break;
  }
  return "NOT_EVALUABLE";
}

std::vector<Gate> judge(const Figures& figures, const Thresholds& thresholds) {
  std::vector<Gate> gates;
  gates.push_back(gate_of("cbr", "cross-boundary recall", figures.recall, false, thresholds.cbr));
  if (!figures.needed_is_stated) gates.back().why = "gates.yaml states no needed engines";
  gates.push_back(gate_of("cmr_silent", "silent critical misses", figures.silent, true, thresholds.cmr_silent));
  gates.push_back(gate_of("cmr_strict", "silent or dropped critical misses", figures.strict, true, thresholds.cmr_strict));
  const auto over_triage = [](const QuestionFigures& question) { return question.over_triage; };
  gates.push_back(worst_of("over_triage", "escalated without need", figures, true, over_triage, true, thresholds.over_triage));
  const auto coverage = [](const QuestionFigures& question) { return question.coverage(); };
  if (thresholds.coverage)
    gates.push_back(worst_of("coverage", "answers that are decided", figures, false, coverage, false, *thresholds.coverage));
  if (thresholds.cost) gates.push_back(cost_gate(figures.cost, *thresholds.cost));
  if (thresholds.found)
    gates.push_back(gate_of("found", "cross-boundary cases found whole", figures.found, false, *thresholds.found));
  return gates;
}

}  // namespace hiple::gate
