#include "law/root.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <future>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace hiple::law {

namespace {

// Arrays are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);

/// What enters of the flags: a gate closes after the law has spoken and is no part of what the law decided.
constexpr std::uint8_t hashed_flags = flag::firm | flag::critical | flag::escalated | flag::broadened | flag::capped;

Digest to_digest(const std::string& hexadecimal) {
  const auto nibble = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<char>(16 * nibble(hexadecimal[2 * i]) + nibble(hexadecimal[2 * i + 1]));
  return digest;
}

std::string_view view(const Digest& digest) { return {digest.data(), digest.size()}; }

/// As unsigned bytes.
bool before(const Digest& a, const Digest& b) { return std::memcmp(a.data(), b.data(), a.size()) < 0; }

template <class T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

std::vector<std::size_t> order_by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return order;
}

/// Digests in the order in which they came up, and their coding within one leaf.
class Coder {
 public:
  std::uint32_t add(const Digest& digest) {
    digests_.push_back(digest);
    rank_.push_back(0);
    seen_in_.push_back(0);
    return static_cast<std::uint32_t>(digests_.size() - 1);
  }
  void begin() {
    ++leaf_;
    present_.clear();
    count_ = 0;
  }
  void append(std::uint32_t number) {
    if (seen_in_[number] != leaf_) {
      seen_in_[number] = leaf_;
      present_.push_back(number);
    }
    numbers_[count_++] = number;
  }
  void finish(Sha256& hash) {
    std::sort(present_.begin(), present_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return before(digests_[a], digests_[b]); });
    hash.update_number(present_.size());
    for (std::size_t i = 0; i < present_.size(); ++i) {
      rank_[present_[i]] = static_cast<std::uint16_t>(i);
      hash.update(view(digests_[present_[i]]));
    }
    for (std::size_t i = 0; i < count_; ++i) codes_[i] = rank_[numbers_[i]];
    hash.update(bytes_of(std::span<const std::uint16_t>(codes_.data(), count_)));
  }

 private:
  std::vector<Digest> digests_;
  std::vector<std::uint16_t> rank_;     // of each digest, in this leaf
  std::vector<std::uint64_t> seen_in_;  // of each digest: the last leaf that had it
  std::vector<std::uint32_t> present_;
  std::array<std::uint32_t, cases_a_leaf> numbers_{};
  std::array<std::uint16_t, cases_a_leaf> codes_{};
  std::size_t count_ = 0;
  std::uint64_t leaf_ = 0;
};

/// The number of each key that came up: a table with linear probing, at most half full. No key is `empty`.
class KeyTable {
 public:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  KeyTable() : keys_(64, empty), values_(64) {}

  /// The place of the key, or where it belongs.
  [[nodiscard]] std::size_t find(std::uint64_t key) const {
    std::size_t at = (key * 0x9e3779b97f4a7c15ULL) >> shift_;
    while (keys_[at] != key && keys_[at] != empty) at = (at + 1) & (keys_.size() - 1);
    return at;
  }
  [[nodiscard]] bool has(std::size_t at) const { return keys_[at] != empty; }
  [[nodiscard]] std::uint32_t value(std::size_t at) const { return values_[at]; }
  void insert(std::uint64_t key, std::uint32_t value) {
    if (2 * ++size_ > keys_.size()) grow();
    const std::size_t at = find(key);
    keys_[at] = key;
    values_[at] = value;
  }

 private:
  void grow() {
    const std::vector<std::uint64_t> keys = std::exchange(keys_, std::vector<std::uint64_t>(2 * keys_.size(), empty));
    const std::vector<std::uint32_t> values = std::exchange(values_, std::vector<std::uint32_t>(keys_.size()));
    --shift_;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == empty) continue;
      const std::size_t at = find(keys[i]);
      keys_[at] = keys[i];
      values_[at] = values[i];
    }
  }
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  unsigned shift_ = 58;
  std::size_t size_ = 0;
};

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
    known_answers.resize(questions.size());
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
    const auto flags = static_cast<std::uint8_t>(decision.flags & hashed_flags);
    return to_digest(Sha256()
                         .update_text(names.questions[question])
                         .update_text(name_of(decision.status))
                         .update_text(name_of(decision.reason))
                         .update_text(finding_name(question, decision.finding))
                         .update_text(rule_name(decision.rule))
                         .update_number(flags)
                         .digest());
  }
  std::uint32_t answer(std::size_t question, const Decision& decision) {
    const std::uint64_t key = key_of(decision);
    KeyTable& known = known_answers[question];
    const std::size_t at = known.find(key);
    if (known.has(at)) return known.value(at);
    const std::uint32_t number = answers[question].add(answer_digest(question, decision));
    known.insert(key, number);
    return number;
  }
  static std::uint64_t key_of(const Decision& decision) {
    const auto status = static_cast<std::uint64_t>(decision.status), reason = static_cast<std::uint64_t>(decision.reason);
    // The status takes two bits of four, so that no key is KeyTable::empty.
    return std::uint64_t{decision.rule} << 32 | std::uint64_t{decision.finding} << 16 | status << 14 | (reason & 0x1F) << 9 |
           (decision.flags & hashed_flags);
  }

  std::uint32_t path(std::uint8_t rounds, const std::uint64_t* consulted) {
    std::uint64_t mixed = rounds;
    for (std::size_t word = 0; word < words; ++word) mixed = (mixed ^ consulted[word]) * 0x9e3779b97f4a7c15ULL;
    Recent& recent = recent_paths[mixed >> 56];
    if (recent.rounds == rounds && recent.number != none &&
        std::equal(recent.consulted.begin(), recent.consulted.end(), consulted))
      return recent.number;
    std::string key(1, static_cast<char>(rounds));
    key.append(reinterpret_cast<const char*>(consulted), words * sizeof(std::uint64_t));
    const auto [entry, is_new] = known_paths.try_emplace(key, 0);
    if (is_new) {
      Sha256 hash;
      hash.update_number(rounds);
      for (const std::size_t engine : engines)
        if (((consulted[engine / 64] >> (engine % 64)) & 1) != 0) hash.update_text(names.engines[engine].name);
      entry->second = paths.add(to_digest(hash.digest()));
    }
    recent = {rounds, entry->second, {consulted, consulted + words}};
    return entry->second;
  }

  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Recent {
    std::uint8_t rounds = 0;
    std::uint32_t number = none;
    std::vector<std::uint64_t> consulted;
  };

  const Decisions& names;
  std::vector<std::size_t> questions, engines;  ///< by ascending name
  std::size_t words;
  std::vector<Coder> answers;  ///< of each question
  std::vector<KeyTable> known_answers;
  Coder paths;
  std::unordered_map<std::string, std::uint32_t> known_paths;
  std::array<Recent, 256> recent_paths;
};

LeafHasher::LeafHasher(const Decisions& names) : work_(std::make_unique<Work>(names)) {}
LeafHasher::~LeafHasher() = default;

Digest LeafHasher::leaf(std::span<const std::uint64_t> case_ids, const Decision* answers, const std::uint8_t* rounds,
                        const std::uint64_t* consulted) {
  if (case_ids.size() > cases_a_leaf) throw Error("root of decisions: too many cases for one leaf");
  if (std::adjacent_find(case_ids.begin(), case_ids.end(), std::greater_equal<>()) != case_ids.end())
    throw Error("root of decisions: case ids are not ascending");
  Sha256 hash;
  hash.update(std::string_view("\0", 1)).update_number(case_ids.size()).update(bytes_of(case_ids));
  const std::size_t width = work_->questions.size();
  for (const std::size_t question : work_->questions) {
    Coder& coder = work_->answers[question];
    coder.begin();
    for (std::size_t i = 0; i < case_ids.size(); ++i) coder.append(work_->answer(question, answers[i * width + question]));
    coder.finish(hash);
  }
  work_->paths.begin();
  for (std::size_t i = 0; i < case_ids.size(); ++i) work_->paths.append(work_->path(rounds[i], consulted + i * work_->words));
  work_->paths.finish(hash);
  return to_digest(hash.digest());
}

namespace {

// Leaves and inner nodes are hashed with different first bytes, so that one can never pass for the other.
Digest tree(std::span<const Digest> leaves) {
  if (leaves.size() == 1) return leaves[0];
  std::size_t left = 1;
  while (2 * left < leaves.size()) left *= 2;
  const Digest a = tree(leaves.first(left)), b = tree(leaves.subspan(left));
  return to_digest(Sha256().update("\1").update(view(a)).update(view(b)).digest());
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
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char signed_byte : tree(leaves)) {
    const auto byte = static_cast<unsigned char>(signed_byte);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string root_hash(const Decisions& decisions, int threads) {
  check_sizes(decisions);
  const std::size_t cases = decisions.cases(), width = decisions.questions.size(), words = decisions.words();
  std::vector<Digest> leaves((cases + cases_a_leaf - 1) / cases_a_leaf);
  const auto hash = [&](std::size_t begin, std::size_t end) {
    LeafHasher hasher(decisions);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
      leaves[i] = hasher.leaf(std::span(decisions.case_id).subspan(first, count), decisions.decisions.data() + first * width,
                              decisions.rounds.data() + first, decisions.consulted.data() + first * words);
    }
  };
  const auto parts = static_cast<std::size_t>(std::clamp(threads, 1, 1024));
  std::vector<std::future<void>> running;
  for (std::size_t i = 1; i < parts; ++i)
    running.push_back(std::async(std::launch::async, hash, leaves.size() * i / parts, leaves.size() * (i + 1) / parts));
  hash(0, leaves.size() / parts);
  for (std::future<void>& part : running) part.get();
  return root_of(leaves);
}

}  // namespace hiple::law
