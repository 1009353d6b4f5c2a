#include "law/leaves.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace hiple::law {

namespace {

void check_sizes(const Decisions& decisions) {
  const std::size_t cases = decisions.cases();
  if (decisions.findings.size() != decisions.questions.size() ||
      decisions.decisions.size() != cases * decisions.questions.size() || decisions.rounds.size() != cases ||
      decisions.consulted.size() != cases * decisions.words()) {
    throw Error("root of decisions: sizes do not fit each other");
  }
}

void check_ids(const Decisions& decisions) {
  if (std::adjacent_find(decisions.case_id.begin(), decisions.case_id.end(), std::greater_equal<>()) != decisions.case_id.end())
    throw Error("root of decisions: case ids are not ascending");
}

/// One leaf's part of decisions.
struct LeafPart {
  LeafPart(const Decisions& decisions, std::size_t leaf)
      : first(leaf * cases_a_leaf),
        count(std::min(cases_a_leaf, decisions.cases() - first)),
        answers(decisions.decisions.data() + first * decisions.questions.size()),
        rounds(decisions.rounds.data() + first),
        consulted(decisions.consulted.data() + first * decisions.words()) {}
  std::size_t first, count;
  const Decision* answers;
  const std::uint8_t* rounds;
  const std::uint64_t* consulted;
};

/// Threads share `count` leaves, as many at a time as are hashed together: `add(hasher, i)` codes one, `take(hasher, i, place)`
/// gets what it was hashed of.
template <class Add, class Take>
void hash_some(const Decisions& names, std::size_t count, int threads, std::vector<Digest>& digests, Add add, Take take) {
  const std::size_t some = LeafHasher::together();
  std::atomic<std::size_t> next = 0;
  on_threads(threads, [&](int) {
    LeafHasher hasher(names);
    for (std::size_t i = next.fetch_add(some); i < count; i = next.fetch_add(some)) {
      for (std::size_t k = i; k < std::min(i + some, count); ++k) add(hasher, k);
      std::ranges::copy(hasher.digests(), digests.begin() + static_cast<std::ptrdiff_t>(i));
      for (std::size_t k = i; k < std::min(i + some, count); ++k) take(hasher, k, k - i);
    }
  });
}

/// The leaves, and to `messages`, unless it is null, what each was hashed of.
std::vector<Digest> hash_leaves(const Decisions& decisions, int threads, std::vector<LeafMessage>* messages) {
  check_sizes(decisions);
  check_ids(decisions);
  std::vector<Digest> digests((decisions.cases() + cases_a_leaf - 1) / cases_a_leaf);
  if (messages != nullptr) messages->resize(digests.size());
  hash_some(
      decisions, digests.size(), threads, digests,
      [&](LeafHasher& hasher, std::size_t leaf) {
        const LeafPart part(decisions, leaf);
        hasher.add(std::span(decisions.case_id).subspan(part.first, part.count), part.answers, part.rounds, part.consulted);
      },
      [&](LeafHasher& hasher, std::size_t leaf, std::size_t place) {
        if (messages != nullptr) (*messages)[leaf] = std::exchange(hasher.message(place), {});
      });
  return digests;
}

}  // namespace

std::string root_hash(const Decisions& decisions, int threads) { return root_of(hash_leaves(decisions, threads, nullptr)); }

Leaves::Leaves(const Decisions& decisions, int threads)
    : cases_(decisions.cases()), digests_(hash_leaves(decisions, threads, &messages_)) {}

void Leaves::update(const Decisions& decisions, std::span<const std::uint32_t> rows, int threads) {
  check_sizes(decisions);
  if (decisions.cases() != cases_) throw Error("leaves are not those of the decisions");
  if (!std::ranges::is_sorted(rows) || (!rows.empty() && rows.back() >= cases_))
    throw Error("rows of decisions must ascend and exist");
  struct Touched {
    std::size_t leaf;
    std::vector<std::uint16_t> places;
  };
  std::vector<Touched> touched;
  for (const std::uint32_t row : rows) {
    if (touched.empty() || touched.back().leaf != row / cases_a_leaf) touched.push_back({row / cases_a_leaf, {}});
    touched.back().places.push_back(static_cast<std::uint16_t>(row % cases_a_leaf));
  }
  std::vector<Digest> digests(touched.size());
  hash_some(
      decisions, touched.size(), threads, digests,
      [&](LeafHasher& hasher, std::size_t i) {
        const LeafPart part(decisions, touched[i].leaf);
        hasher.add_again(messages_[touched[i].leaf], touched[i].places, part.count, part.answers, part.rounds, part.consulted);
      },
      [&](LeafHasher& hasher, std::size_t i, std::size_t place) { messages_[touched[i].leaf].swap(hasher.message(place)); });
  for (std::size_t i = 0; i < touched.size(); ++i) digests_[touched[i].leaf] = digests[i];
}

}  // namespace hiple::law
