#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/figures.hpp"

namespace hiple::gate {

enum class Verdict { pass, fail, not_evaluable };

std::string name_of(Verdict verdict);

/// What the same gate would say if every case whose truth is missing were a miss.
struct WorstCase {
  Share share;
  double bound = 0;
  Verdict verdict = Verdict::not_evaluable;
};

/// One figure beside its registered threshold.
struct Gate {
  std::string name;    ///< the key in `thresholds`, or "boundaries"
  std::string title;   ///< for people: "silent critical misses"
  std::string counts;  ///< "3/154", or "mean of 3592"
  bool at_most = false;
  double value = 0, bound = 0, threshold = 0;  ///< NaN where there is nothing to measure
  Verdict verdict = Verdict::not_evaluable;
  std::string why;                 ///< of a verdict that is not evaluable; and the question, where the worst is gated
  std::optional<WorstCase> worst;  ///< where the truth of over 5 % of the cases is missing
};

/// A boundary beside the threshold of cross-boundary recall.
struct BoundaryGate {
  BoundaryFigures figures;
  Verdict verdict = Verdict::not_evaluable;  ///< FAIL only where Holm's procedure over all boundaries refutes it
  bool is_pooled = false;                    ///< too few cases: it counts within "pooled" and has no verdict of its own
  std::string why;
  std::optional<Waiver> waiver;
};

/// What gates.yaml asks for, answered.
struct Judged {
  std::vector<Gate> gates;
  std::vector<BoundaryGate> boundaries;  ///< the worst first; those that are pooled after "pooled"

  /// Closed by default: every gate passes.
  [[nodiscard]] bool passed() const;
};

/// Closed by default: PASS where the bound keeps to the threshold, FAIL where the bound on the other side breaks it,
/// NOT_EVALUABLE where neither is proved or there is nothing to measure. Boundaries need no correction to pass, since all must.
Judged judge(const Figures& figures, const Thresholds& thresholds, const std::vector<Waiver>& waivers = {});

}  // namespace hiple::gate
