#pragma once

#include <vector>

#include "law/columnar.hpp"
#include "law/law.hpp"
#include "law/root.hpp"

namespace hiple::law {

/// Decides all cases of the inputs and hashes them a leaf at a time. `decisions` has its names, its case ids and room for the
/// rest, with `consulted` zero. Threads share the leaves.
std::vector<Digest> decide_leaves(const ColumnarLaw& law, const Inputs& inputs, int threads, Decisions& decisions);

/// Decisions of a law without any case: questions, findings, rules, engines and the law's text.
Decisions names_of(const Law& law, const std::vector<EngineJudgments>& engines);

}  // namespace hiple::law
