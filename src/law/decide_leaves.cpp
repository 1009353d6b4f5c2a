#include "law/decide_leaves.hpp"

#include <algorithm>
#include <atomic>

#include "base/threads.hpp"

namespace hiple::law {

static_assert(ColumnarEvaluator::most_cases == cases_a_leaf);

std::vector<Digest> decide_leaves(const ColumnarLaw& law, const Inputs& inputs, int threads, Decisions& decisions) {
  const std::size_t cases = inputs.cases(), questions = decisions.questions.size(), words = decisions.words();
  std::vector<Digest> leaves((cases + cases_a_leaf - 1) / cases_a_leaf);
  // Leaves are coded while they are in the cache, and a few are hashed together. Threads take some after the others and write to
  // their places alone, so that what comes out does not depend on who took which.
  const std::size_t some = LeafHasher::together();
  std::atomic<std::size_t> next = 0;
  const auto run = [&](int) {
    ColumnarEvaluator evaluator(law, inputs);
    LeafHasher hasher(decisions);
    for (std::size_t i = next.fetch_add(some); i < leaves.size(); i = next.fetch_add(some)) {
      for (std::size_t leaf = i; leaf < std::min(i + some, leaves.size()); ++leaf) {
        const std::size_t first = leaf * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
        const DecisionRange to = {decisions.decisions.data() + first * questions, decisions.rounds.data() + first,
                                  decisions.consulted.data() + first * words};
        evaluator.decide(first, count, to);
        hasher.add(std::span(decisions.case_id).subspan(first, count), to.decisions, to.rounds, to.consulted);
      }
      std::ranges::copy(hasher.digests(), leaves.begin() + static_cast<std::ptrdiff_t>(i));
    }
  };
  on_threads(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), leaves.size())), run);
  return leaves;
}

}  // namespace hiple::law
