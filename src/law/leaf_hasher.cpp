#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/hash_together.hpp"
#include "law/leaf_coder.hpp"

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

void append_number(std::uint64_t number, LeafMessage& message) {
  const auto bytes = std::as_bytes(std::span(&number, 1));
  message.insert(message.end(), bytes.begin(), bytes.end());
}

/// Case ids as the root has them: the first, then how far each is from the one before.
void append_ids(std::span<const std::uint64_t> ids, LeafMessage& message) {
  append_number(ids.size(), message);
  if (ids.empty()) return;
  append_number(ids.front(), message);
  constexpr std::size_t most = 10;  // bytes of one difference
  const std::size_t start = message.size();
  message.resize(start + most * ids.size());
  std::byte* to = message.data() + start;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    std::uint64_t rest = ids[i] - ids[i - 1];
    for (; rest > 0x7F; rest >>= 7) *to++ = static_cast<std::byte>(rest | 0x80);
    *to++ = static_cast<std::byte>(rest);
  }
  message.resize(static_cast<std::size_t>(to - message.data()));
}

/// Where ids of so many cases end in a message.
std::size_t end_of_ids(const LeafMessage& message, std::size_t count) {
  std::uint64_t held = 0;
  constexpr std::size_t numbers = 2 * sizeof held;  // how many cases, and the first id
  std::size_t at = 1 + numbers;
  if (message.size() > at) std::memcpy(&held, message.data() + 1, sizeof held);
  for (std::size_t left = count; left > 1 && at < message.size(); ++at) left -= (message[at] & std::byte{0x80}) == std::byte{0};
  if (count == 0 || held != count || at >= message.size()) throw Error("root of decisions: no message of a leaf");
  return at;
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

  LeafMessage& next_message() {
    if (messages.size() == waiting) messages.emplace_back();
    return messages[waiting++];
  }

  struct Recent {
    std::uint8_t rounds = 0;
    std::uint64_t number = 0;
    std::vector<std::uint64_t> consulted;  ///< empty: none yet
  };

  const Decisions& names;
  std::vector<std::size_t> questions, engines;  ///< by ascending name
  std::size_t words;
  std::vector<LeafCoder> answers;  ///< of each question
  LeafCoder paths;
  std::unordered_map<std::string, std::uint64_t> known_paths;
  std::array<Recent, 256> recent_paths;
  std::vector<LeafMessage> messages;  ///< of which `waiting` are not hashed yet; the memory stays
  std::size_t waiting = 0;
};

LeafHasher::LeafHasher(const Decisions& names) : work_(std::make_unique<Work>(names)) {}
LeafHasher::~LeafHasher() = default;

std::size_t LeafHasher::together() { return Sha256Stream::best_way().lanes; }

void LeafHasher::add(std::span<const std::uint64_t> case_ids, const Decision* answers, const std::uint8_t* rounds,
                     const std::uint64_t* consulted) {
  if (case_ids.size() > cases_a_leaf) throw Error("root of decisions: too many cases for one leaf");
  if (std::adjacent_find(case_ids.begin(), case_ids.end(), std::greater_equal<>()) != case_ids.end())
    throw Error("root of decisions: case ids are not ascending");
  Work& work = *work_;
  LeafMessage& message = work.next_message();
  message.assign(1, std::byte{0});
  append_ids(case_ids, message);
  const std::size_t width = work.questions.size(), words = work.words;
  for (const std::size_t question : work.questions) {
    const Decision* own = answers + question;
    work.answers[question].code(
        case_ids.size(), [&](std::size_t i) { return std::bit_cast<std::uint64_t>(own[i * width]); },
        [&](std::size_t i) { return work.answer_digest(question, own[i * width]); }, message);
  }
  work.paths.code(
      case_ids.size(), [&](std::size_t i) { return work.path_key(rounds[i], consulted + i * words); },
      [&](std::size_t i) { return work.path_digest(rounds[i], consulted + i * words); }, message);
}

void LeafHasher::add_again(const LeafMessage& before, std::span<const std::uint16_t> places, std::size_t cases,
                           const Decision* answers, const std::uint8_t* rounds, const std::uint64_t* consulted) {
  Work& work = *work_;
  LeafMessage& message = work.next_message();
  std::size_t at = end_of_ids(before, cases);
  message.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(at));
  const std::size_t width = work.questions.size(), words = work.words;
  for (const std::size_t question : work.questions) {
    const Decision* own = answers + question;
    at += work.answers[question].code_again(
        std::span(before).subspan(at), cases, places, [&](std::size_t i) { return std::bit_cast<std::uint64_t>(own[i * width]); },
        [&](std::size_t i) { return work.answer_digest(question, own[i * width]); }, message);
  }
  at += work.paths.code_again(
      std::span(before).subspan(at), cases, places,
      [&](std::size_t i) { return work.path_key(rounds[i], consulted + i * words); },
      [&](std::size_t i) { return work.path_digest(rounds[i], consulted + i * words); }, message);
  if (at != before.size()) throw Error("root of decisions: no message of a leaf with these questions");
}

LeafMessage& LeafHasher::message(std::size_t place) { return work_->messages.at(place); }

std::vector<Digest> LeafHasher::digests() {
  std::vector<Sha256Stream> streams(std::exchange(work_->waiting, 0));
  std::vector<Sha256Stream::Piece> pieces;
  std::vector<Sha256Stream*> all;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    pieces.push_back({&streams[i], work_->messages[i]});
    all.push_back(&streams[i]);
  }
  Sha256Stream::update(pieces);
  return Sha256Stream::digests(all);
}

}  // namespace hiple::law
