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
  const std::string what = share.clusters > 0 ? "clusters" : "n";
  if (share.bound_n() < needed) return "needs " + what + " >= " + std::to_string(needed);
  return "neither is proved";
}

/// Bounds are of clusters, where there are any.
std::string counts_of(const Share& share) {
  std::string text = std::to_string(share.count) + "/" + std::to_string(share.n);
  if (share.clusters > 0) text += ", clusters " + std::to_string(share.cluster_count) + "/" + std::to_string(share.clusters);
  return text;
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
  gate.counts = counts_of(share);
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

/// Of all cases over 5 % without a known truth: as if they were all misses.
void add_worst(Gate& gate, const Share& share, std::uint64_t unknown, std::uint64_t rows) {
  if (unknown * 20 <= rows) return;
  Share worst = share;
  worst.n += unknown;
  if (gate.at_most) worst.count += unknown;
  if (worst.clusters > 0) {  // each in a cluster of its own
    worst.clusters += unknown;
    if (gate.at_most) worst.cluster_count += unknown;
  }
  gate.worst = {worst, gate.at_most ? worst.upper() : worst.lower(),
                compare(worst.lower(), worst.upper(), gate.at_most, gate.threshold)};
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
    if (needs_truth) add_worst(gate, select(question), question.unknown, figures.rows);
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

bool Judged::passed() const {
  return !gates.empty() &&
         std::all_of(gates.begin(), gates.end(), [](const Gate& gate) { return gate.verdict == Verdict::pass; });
}

namespace {

Gate not_worse_gate(const Paired& paired, double margin) {
  Gate gate;
  gate.name = "not_worse";
  gate.title = "worse than all engines together";
  gate.counts =
      std::to_string(paired.worse.count) + " - " + std::to_string(paired.better.count) + " of " + std::to_string(paired.worse.n);
  gate.at_most = true;
  gate.value = paired.value();
  gate.bound = paired.upper();
  gate.threshold = margin;
  gate.verdict = compare(paired.lower(), paired.upper(), true, margin);
  if (gate.verdict == Verdict::not_evaluable) gate.why = paired.worse.n == 0 ? "nothing to compare with" : "neither is proved";
  return gate;
}

std::optional<Waiver> waiver_of(const std::string& boundary, const std::vector<Waiver>& waivers) {
  for (const Waiver& waiver : waivers)
    if (waiver.boundary == boundary) return waiver;
  return std::nullopt;
}

/// Verdicts of boundaries with cases enough, and of the rest as one.
std::vector<BoundaryGate> judge_boundaries(const Figures& figures, double threshold, std::uint64_t pooled_under,
                                           const std::vector<Waiver>& waivers) {
  std::vector<BoundaryGate> all;
  all.reserve(figures.boundaries.size() + figures.pooled.size());
  for (const BoundaryFigures& boundary : figures.boundaries)
    all.push_back(
        {boundary, Verdict::not_evaluable, boundary.recall.bound_n() < pooled_under, {}, waiver_of(boundary.name(), waivers)});
  for (const BoundaryFigures& pooled : figures.pooled)
    all.push_back({pooled, Verdict::not_evaluable, false, {}, waiver_of(pooled.name(), waivers)});
  std::vector<double> probabilities;
  for (const BoundaryGate& gate : all) {
    const Share& recall = gate.figures.recall;
    probabilities.push_back(gate.is_pooled ? std::nan("")
                                           : at_most_probability(recall.bound_count(), recall.bound_n(), threshold));
  }
  const std::vector<bool> fails = refuted(probabilities);
  for (std::size_t i = 0; i < all.size(); ++i) {
    BoundaryGate& gate = all[i];
    const Share& recall = gate.figures.recall;
    if (gate.is_pooled) {
      gate.why = "pooled";
      continue;
    }
    const Verdict verdict = compare(recall.lower(), recall.upper(), false, threshold);
    gate.verdict = fails[i] ? Verdict::fail : verdict == Verdict::pass ? verdict : Verdict::not_evaluable;
    if (gate.verdict == Verdict::not_evaluable) gate.why = why_open(recall, false, threshold);
  }
  std::stable_sort(all.begin(), all.end(), [](const BoundaryGate& a, const BoundaryGate& b) {
    if (a.is_pooled != b.is_pooled) return b.is_pooled;
    if (a.waiver.has_value() != b.waiver.has_value()) return b.waiver.has_value();
    return a.figures.recall.lower() < b.figures.recall.lower();
  });
  return all;
}

/// The worst boundary that nobody has waived. FAIL where one is named to fail; PASS where all pass.
Gate boundaries_gate(const std::vector<BoundaryGate>& boundaries, double threshold) {
  std::vector<const BoundaryGate*> counted;
  std::size_t waived = 0;
  for (const BoundaryGate& boundary : boundaries) {
    if (boundary.is_pooled) continue;
    if (boundary.waiver)
      ++waived;
    else
      counted.push_back(&boundary);
  }
  Gate gate = gate_of("boundaries", "recall of the worst boundary", {}, false, threshold);
  if (!counted.empty()) {
    const auto rank = [](Verdict verdict) { return verdict == Verdict::fail ? 0 : verdict == Verdict::not_evaluable ? 1 : 2; };
    const BoundaryGate& worst = **std::min_element(counted.begin(), counted.end(), [&](const auto* a, const auto* b) {
      if (a->verdict != b->verdict) return rank(a->verdict) < rank(b->verdict);
      return a->figures.recall.lower() < b->figures.recall.lower();
    });
    gate = gate_of("boundaries", "recall of the worst boundary", worst.figures.recall, false, threshold);
    gate.verdict = worst.verdict;
    gate.why = "worst: " + worst.figures.name() + (worst.why.empty() ? "" : ", " + worst.why);
  } else if (waived > 0) {
    gate.verdict = Verdict::pass;
    gate.why.clear();
  }
  if (waived > 0) gate.why += (gate.why.empty() ? "" : "; ") + std::to_string(waived) + " waived";
  return gate;
}

}  // namespace

Judged judge(const Figures& figures, const Thresholds& thresholds, const std::vector<Waiver>& waivers) {
  Judged judged;
  std::vector<Gate>& gates = judged.gates;
  const auto add = [&](const std::string& name, const std::string& title, const Share& share, bool at_most, double threshold) {
    gates.push_back(gate_of(name, title, share, at_most, threshold));
    add_worst(gates.back(), share, figures.unknown, figures.rows);
  };
  add("cbr", "cross-boundary recall", figures.recall, false, thresholds.cbr);
  if (figures.basis == Basis::none) gates.back().why = "it is not known which engines are needed";
  judged.boundaries = judge_boundaries(figures, thresholds.cbr, pooled_under(thresholds), waivers);
  gates.push_back(boundaries_gate(judged.boundaries, thresholds.cbr));
  add("cmr_silent", "silent critical misses", figures.silent, true, thresholds.cmr_silent);
  add("cmr_strict", "silent or dropped critical misses", figures.strict, true, thresholds.cmr_strict);
  const auto over_triage = [](const QuestionFigures& question) { return question.over_triage; };
  gates.push_back(worst_of("over_triage", "escalated without need", figures, true, over_triage, true, thresholds.over_triage));
  const auto coverage = [](const QuestionFigures& question) { return question.coverage(); };
  if (thresholds.coverage)
    gates.push_back(worst_of("coverage", "answers that are decided", figures, false, coverage, false, *thresholds.coverage));
  if (thresholds.cost) gates.push_back(cost_gate(figures.cost, *thresholds.cost));
  if (thresholds.found) add("found", "cross-boundary cases found whole", figures.found, false, *thresholds.found);
  if (thresholds.not_worse) gates.push_back(not_worse_gate(figures.against_flat, *thresholds.not_worse));
  return judged;
}

}  // namespace hiple::gate
