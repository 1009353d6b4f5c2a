#pragma once

#include <string>
#include <vector>

#include "gate/figures.hpp"

namespace hiple::gate {

enum class Verdict { pass, fail, not_evaluable };

std::string name_of(Verdict verdict);

/// One figure beside its registered threshold.
struct Gate {
  std::string name;    ///< the key in `thresholds`
  std::string title;   ///< for people: "silent critical misses"
  std::string counts;  ///< "3/154", or "mean of 3592"
  bool at_most = false;
  double value = 0, bound = 0, threshold = 0;  ///< NaN where there is nothing to measure
  Verdict verdict = Verdict::not_evaluable;
  std::string why;  ///< of a verdict that is not evaluable; and the question, where the worst is gated
};

/// Closed by default: PASS where the bound keeps to the threshold, FAIL where the bound on the other side breaks it,
/// NOT_EVALUABLE where neither is proved or there is nothing to measure.
std::vector<Gate> judge(const Figures& figures, const Thresholds& thresholds);

}  // namespace hiple::gate
