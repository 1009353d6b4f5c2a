#pragma once

#include "condition/syntax.hpp"
#include "condition/view.hpp"

namespace hiple::condition {

/// Comparison of count, min, max or mean with a constant. The aggregate is an interval over all that the unknown parts could be;
/// the comparison is known only where every value in it says so.
Truth compare_aggregate(const Node& comparison, const View& view, CauseSet& causes);

/// agree(panel): FALSE once two groups differ; TRUE when all of two or more groups have spoken with one label.
Truth evaluate_agree(const Node& node, const View& view, CauseSet& causes);

}  // namespace hiple::condition
