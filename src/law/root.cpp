#include "law/root.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace hiple::law {

namespace {

// Arrays are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);

std::vector<std::size_t> order_by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return order;
}

/// Codes what each case of a leaf has: few different keys, each with a digest. A table with linear probing, at most half full,
/// which stays from leaf to leaf. No key is `empty`.
class Coder {
 public:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  Coder() : entries_(64, Entry{empty, 0, 0}) {}

  /// The place among all keys of each case's; `key_of(i)` is a case's key, and `digest_of(i)` is asked once for a key.
  template <class KeyOf, class DigestOf>
  void code(std::size_t count, KeyOf key_of, DigestOf digest_of, Sha256& hash) {
    ++leaf_;
    present_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t key = key_of(i);
      std::size_t at = place(key);
      while (entries_[at].key != key) {
        if (entries_[at].key == empty) {
          at = insert(key, digest_of(i));
          break;
        }
        at = (at + 1) & (entries_.size() - 1);
      }
      Entry& entry = entries_[at];
      if (entry.leaf != leaf_) {
        entry.leaf = leaf_;
        present_.push_back(entry.number);
      }
      numbers_[i] = entry.number;
    }
    write(count, hash);
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t number;  ///< of its digest
    std::uint32_t leaf;    ///< the last that had it
  };

  [[nodiscard]] std::size_t place(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15ULL) >> shift_; }
  std::size_t insert(std::uint64_t key, const Digest& digest) {
    const auto number = static_cast<std::uint32_t>(digests_.size());
    digests_.push_back(digest);
    rank_.push_back(0);
    if (2 * digests_.size() > entries_.size()) {
      const auto old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size(), Entry{empty, 0, 0}));
      --shift_;
      for (const Entry& entry : old)
        if (entry.key != empty) entries_[free_place(entry.key)] = entry;
    }
    const std::size_t at = free_place(key);
    entries_[at] = {key, number, 0};
    return at;
  }
  [[nodiscard]] std::size_t free_place(std::uint64_t key) const {
    std::size_t at = place(key);
    while (entries_[at].key != empty) at = (at + 1) & (entries_.size() - 1);
    return at;
  }
  void write(std::size_t count, Sha256& hash) {
    std::sort(present_.begin(), present_.end(), [&](std::uint32_t a, std::uint32_t b) { return digests_[a] < digests_[b]; });
    hash.update_number(present_.size());
    for (std::size_t i = 0; i < present_.size(); ++i) {
      rank_[present_[i]] = static_cast<std::uint16_t>(i);
      hash.update(digests_[present_[i]]);
    }
    if (present_.size() <= 256) {
      std::array<std::uint8_t, cases_a_leaf> codes;
      for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::uint8_t>(rank_[numbers_[i]]);
      hash.update(std::as_bytes(std::span(codes).first(count)));
    } else {
      std::array<std::uint16_t, cases_a_leaf> codes;
      for (std::size_t i = 0; i < count; ++i) codes[i] = rank_[numbers_[i]];
      hash.update(std::as_bytes(std::span(codes).first(count)));
    }
  }

  std::vector<Entry> entries_;
  unsigned shift_ = 58;
  std::vector<Digest> digests_;
  std::vector<std::uint16_t> rank_;  // of each digest, in this leaf
  std::vector<std::uint32_t> present_;
  std::array<std::uint32_t, cases_a_leaf> numbers_{};
  std::uint32_t leaf_ = 0;
};

/// Case ids as the root has them: the first, then how far each is from the one before.
void hash_ids(std::span<const std::uint64_t> ids, std::string& bytes, Sha256& hash) {
  hash.update_number(ids.size());
  if (ids.empty()) return;
  hash.update_number(ids.front());
  bytes.clear();
  for (std::size_t i = 1; i < ids.size(); ++i) {
    std::uint64_t rest = ids[i] - ids[i - 1];
    for (; rest > 0x7F; rest >>= 7) bytes += static_cast<char>((rest & 0x7F) | 0x80);
    bytes += static_cast<char>(rest);
  }
  hash.update(bytes);
}

}  // namespace

/// There are few different answers and paths among millions of decisions: each is hashed once.
struct LeafHasher::Work {
  explicit Work(const Decisions& decisions)
      : names(decisions), questions(order_by_name(decisions.questions)), words(decisions.words()) {
    std::vector<std::string> engine_names;
    engine_names.reserve(decisions.engines.size());
    for (const EngineRecord& engine : decisions.engines) engine_names.push_back(engine.name);
    engines = order_by_name(engine_names);
    answers.resize(questions.size());
  }

  [[nodiscard]] std::string finding_name(std::size_t question, std::uint16_t finding) const {
    if (finding == no_index) return {};
    const auto& all = names.findings[question];
    if (finding >= all.size()) throw Error("root of decisions: a finding's index is out of range");
    return all[finding];
  }
  [[nodiscard]] std::string rule_name(std::uint32_t rule) const {
    if (rule == no_rule_index) return {};
    if (rule >= names.rules.size()) throw Error("root of decisions: a rule's index is out of range");
    return names.rules[rule].id + "@" + std::to_string(names.rules[rule].version);
  }
  [[nodiscard]] Digest answer_digest(std::size_t question, const Decision& decision) const {
    return Sha256()
        .update_text(names.questions[question])
        .update_text(name_of(decision.status))
        .update_text(name_of(decision.reason))
        .update_text(finding_name(question, decision.finding))
        .update_text(rule_name(decision.rule))
        .update_number(decision.flags)
        .bytes();
  }
  /// The answer in one number. Status and flags share a byte.
  static std::uint64_t key_of(const Decision& decision) {
    static_assert(offsetof(Decision, reason) == 1 && offsetof(Decision, finding) == 2 && offsetof(Decision, rule) == 4);
    std::uint64_t key = 0;
    std::memcpy(&key, &decision, sizeof key);
    return key | static_cast<std::uint64_t>(decision.flags) << 2;
  }
  [[nodiscard]] Digest path_digest(std::uint8_t rounds, const std::uint64_t* consulted) const {
    Sha256 hash;
    hash.update_number(rounds);
    for (const std::size_t engine : engines)
      if (((consulted[engine / 64] >> (engine % 64)) & 1) != 0) hash.update_text(names.engines[engine].name);
    return hash.bytes();
  }
  /// A path in one number: where rounds and engines do not fit, the number of the path among those that came up.
  std::uint64_t path_key(std::uint8_t rounds, const std::uint64_t* consulted) {
    if (words == 0) return rounds;
    if (names.engines.size() <= 55) return consulted[0] << 8 | rounds;
    std::uint64_t mixed = rounds;
    for (std::size_t word = 0; word < words; ++word) mixed = (mixed ^ consulted[word]) * 0x9e3779b97f4a7c15ULL;
    Recent& recent = recent_paths[mixed >> 56];
    if (recent.rounds == rounds && std::equal(recent.consulted.begin(), recent.consulted.end(), consulted, consulted + words))
      return recent.number;
    std::string key(1, static_cast<char>(rounds));
    key.append(reinterpret_cast<const char*>(consulted), words * sizeof(std::uint64_t));
    const std::uint64_t number = known_paths.try_emplace(std::move(key), known_paths.size()).first->second;
    recent = {rounds, number, {consulted, consulted + words}};
    return number;
  }

  struct Recent {
    std::uint8_t rounds = 0;
    std::uint64_t number = 0;
    std::vector<std::uint64_t> consulted;  ///< empty: none yet
  };

  const Decisions& names;
  std::vector<std::size_t> questions, engines;  ///< by ascending name
  std::size_t words;
  std::vector<Coder> answers;  ///< of each question
  Coder paths;
  std::unordered_map<std::string, std::uint64_t> known_paths;
  std::array<Recent, 256> recent_paths;
  std::string bytes;
};

LeafHasher::LeafHasher(const Decisions& names) : work_(std::make_unique<Work>(names)) {}
LeafHasher::~LeafHasher() = default;

Digest LeafHasher::leaf(std::span<const std::uint64_t> case_ids, const Decision* answers, const std::uint8_t* rounds,
                        const std::uint64_t* consulted) {
  if (case_ids.size() > cases_a_leaf) throw Error("root of decisions: too many cases for one leaf");
  if (std::adjacent_find(case_ids.begin(), case_ids.end(), std::greater_equal<>()) != case_ids.end())
    throw Error("root of decisions: case ids are not ascending");
  Sha256 hash;
  hash.update(std::string_view("\0", 1));
  hash_ids(case_ids, work_->bytes, hash);
  Work& work = *work_;
  const std::size_t width = work.questions.size(), words = work.words;
  for (const std::size_t question : work.questions) {
    const Decision* own = answers + question;
    work.answers[question].code(
        case_ids.size(), [&](std::size_t i) { return Work::key_of(own[i * width]); },
        [&](std::size_t i) { return work.answer_digest(question, own[i * width]); }, hash);
  }
  work.paths.code(
      case_ids.size(), [&](std::size_t i) { return work.path_key(rounds[i], consulted + i * words); },
      [&](std::size_t i) { return work.path_digest(rounds[i], consulted + i * words); }, hash);
  return hash.bytes();
}

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

std::string root_hash(const Decisions& decisions, int threads) {
  check_sizes(decisions);
  const std::size_t cases = decisions.cases(), width = decisions.questions.size(), words = decisions.words();
  std::vector<Digest> leaves((cases + cases_a_leaf - 1) / cases_a_leaf);
  std::atomic<std::size_t> next = 0;
  on_threads(threads, [&](int) {
    LeafHasher hasher(decisions);
    for (std::size_t i = next++; i < leaves.size(); i = next++) {
      const std::size_t first = i * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
      leaves[i] = hasher.leaf(std::span(decisions.case_id).subspan(first, count), decisions.decisions.data() + first * width,
                              decisions.rounds.data() + first, decisions.consulted.data() + first * words);
    }
  });
  return root_of(leaves);
}

}  // namespace hiple::law
