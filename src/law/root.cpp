#include "law/root.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace hiple::law {

namespace {

// Leaves and inner nodes are hashed with different first bytes, so that one can never pass for the other.
Digest tree(std::span<const Digest> leaves) {
  if (leaves.size() == 1) return leaves[0];
  std::size_t left = 1;
  while (2 * left < leaves.size()) left *= 2;
  const Digest a = tree(leaves.first(left)), b = tree(leaves.subspan(left));
  return Sha256().update("\1").update(a).update(b).bytes();
}

void check_sizes(const Decisions& decisions) {
  const std::size_t cases = decisions.cases();
  if (decisions.findings.size() != decisions.questions.size() ||
      decisions.decisions.size() != cases * decisions.questions.size() || decisions.rounds.size() != cases ||
      decisions.consulted.size() != cases * decisions.words()) {
    throw Error("root of decisions: sizes do not fit each other");
  }
  if (std::adjacent_find(decisions.case_id.begin(), decisions.case_id.end(), std::greater_equal<>()) != decisions.case_id.end())
    throw Error("root of decisions: case ids are not ascending");
}

}  // namespace

std::string root_of(std::span<const Digest> leaves) {
  if (leaves.empty()) return sha256("");
  return hexadecimal(tree(leaves));
}

std::string root_hash(const Decisions& decisions, int threads) { return root_of(leaves_of(decisions, threads)); }

std::vector<Digest> leaves_of(const Decisions& decisions, int threads) {
  check_sizes(decisions);
  const std::size_t cases = decisions.cases(), width = decisions.questions.size(), words = decisions.words();
  std::vector<Digest> leaves((cases + cases_a_leaf - 1) / cases_a_leaf);
  const std::size_t some = LeafHasher::together();
  std::atomic<std::size_t> next = 0;
  on_threads(threads, [&](int) {
    LeafHasher hasher(decisions);
    for (std::size_t i = next.fetch_add(some); i < leaves.size(); i = next.fetch_add(some)) {
      for (std::size_t leaf = i; leaf < std::min(i + some, leaves.size()); ++leaf) {
        const std::size_t first = leaf * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
        hasher.add(std::span(decisions.case_id).subspan(first, count), decisions.decisions.data() + first * width,
                   decisions.rounds.data() + first, decisions.consulted.data() + first * words);
      }
      std::ranges::copy(hasher.digests(), leaves.begin() + static_cast<std::ptrdiff_t>(i));
    }
  });
  return leaves;
}

}  // namespace hiple::law
