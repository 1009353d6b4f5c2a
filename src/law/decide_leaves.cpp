#include "law/decide_leaves.hpp"

#include <algorithm>
#include <future>

namespace hiple::law {

static_assert(ColumnarEvaluator::most_cases == cases_a_leaf);

std::vector<Digest> decide_leaves(const ColumnarLaw& law, const Inputs& inputs, int threads, Decisions& decisions) {
  const std::size_t cases = inputs.cases(), questions = decisions.questions.size(), words = decisions.words();
  std::vector<Digest> leaves((cases + cases_a_leaf - 1) / cases_a_leaf);
  // Each leaf is hashed while it is in the cache. Every thread has leaves of its own and writes to their places alone.
  const auto run = [&](std::size_t begin, std::size_t end) {
    ColumnarEvaluator evaluator(law, inputs);
    LeafHasher hasher(decisions);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
      const DecisionRange to = {decisions.decisions.data() + first * questions, decisions.rounds.data() + first,
                                decisions.consulted.data() + first * words};
      evaluator.decide(first, count, to);
      leaves[i] = hasher.leaf(std::span(decisions.case_id).subspan(first, count), to.decisions, to.rounds, to.consulted);
    }
  };
  const std::size_t parts =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), 1, std::max<std::size_t>(leaves.size(), 1));
  std::vector<std::future<void>> running;
  for (std::size_t i = 1; i < parts; ++i)
    running.push_back(std::async(std::launch::async, run, leaves.size() * i / parts, leaves.size() * (i + 1) / parts));
  run(0, leaves.size() / parts);
  for (std::future<void>& part : running) part.get();
  return leaves;
}

}  // namespace hiple::law
