#include "law/decision.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace hiple::law {

namespace {

constexpr std::size_t block_size = 4096;

/// What enters of the flags: a gate closes after the law has spoken and is no part of what the law decided.
constexpr std::uint8_t hashed_flags = flag::firm | flag::critical | flag::escalated | flag::broadened | flag::capped;

std::string to_bytes(std::string_view hexadecimal) {
  const auto nibble = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(16 * nibble(hexadecimal[i]) + nibble(hexadecimal[i + 1]));
  }
  return bytes;
}

/// Eight bytes, little endian.
void append_number(std::string& bytes, std::uint64_t number) {
  std::array<char, 8> digits{};
  for (unsigned i = 0; i < 8; ++i) digits[i] = static_cast<char>((number >> (8 * i)) & 0xff);
  bytes.append(digits.data(), digits.size());
}

std::vector<std::size_t> order_by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return order;
}

/// Digests of answers and of paths. There are few distinct ones among millions of decisions: each is hashed once.
class Encoder {
 public:
  explicit Encoder(const Decisions& decisions) : decisions_(decisions), questions_(order_by_name(decisions.questions)) {
    std::vector<std::string> names;
    names.reserve(decisions.engines.size());
    for (const EngineRecord& engine : decisions.engines) names.push_back(engine.name);
    engines_ = order_by_name(names);
  }

  /// The questions' indices by ascending name: the order of a case's decisions.
  [[nodiscard]] const std::vector<std::size_t>& questions() const { return questions_; }

  /// Question, status, reason, finding, rule@version and flags.
  const std::string& answer(std::size_t question, const Decision& decision) {
    const std::uint64_t key = std::uint64_t{question} << 48 | std::uint64_t{decision.finding} << 32 |
                              std::uint64_t{decision.rule} << 16 | std::uint64_t{decision.flags} << 8 |
                              static_cast<std::uint64_t>(decision.status) << 4 | static_cast<std::uint64_t>(decision.reason);
    std::string& digest = answers_[key];
    if (digest.empty()) {
      const std::uint8_t flags = decision.flags & hashed_flags;
      digest = to_bytes(Sha256()
                            .update_text(decisions_.questions[question])
                            .update_text(name_of(decision.status))
                            .update_text(name_of(decision.reason))
                            .update_text(finding_name(question, decision.finding))
                            .update_text(rule_name(decision.rule))
                            .update_number(flags)
                            .digest());
    }
    return digest;
  }

  /// Rounds and names of the engines consulted.
  const std::string& path(std::size_t row) {
    const std::size_t words = decisions_.words();
    std::string key(1, static_cast<char>(decisions_.rounds[row]));
    for (std::size_t word = 0; word < words; ++word) append_number(key, decisions_.consulted[row * words + word]);
    std::string& digest = paths_[key];
    if (digest.empty()) {
      Sha256 hash;
      hash.update_number(decisions_.rounds[row]);
      for (const std::size_t engine : engines_) {
        const std::uint64_t word = decisions_.consulted[row * words + engine / 64];
        if (((word >> (engine % 64)) & 1) != 0) hash.update_text(decisions_.engines[engine].name);
      }
      digest = to_bytes(hash.digest());
    }
    return digest;
  }

 private:
  [[nodiscard]] std::string finding_name(std::size_t question, std::uint16_t finding) const {
    if (finding == no_index) return {};
    const auto& names = decisions_.findings[question];
    if (finding >= names.size()) throw Error("root of decisions: a finding's index is out of range");
    return names[finding];
  }

  [[nodiscard]] std::string rule_name(std::uint16_t rule) const {
    if (rule == no_index) return {};
    if (rule >= decisions_.rules.size()) throw Error("root of decisions: a rule's index is out of range");
    return decisions_.rules[rule].id + "@" + std::to_string(decisions_.rules[rule].version);
  }

  const Decisions& decisions_;
  std::vector<std::size_t> questions_, engines_;
  std::unordered_map<std::uint64_t, std::string> answers_;
  std::unordered_map<std::string, std::string> paths_;
};

// Leaves and inner nodes are hashed with different first bytes, so that one can never pass for the other (RFC 6962, 2.1).
std::string leaf(std::string_view block) { return Sha256().update(std::string_view("\0", 1)).update(block).digest(); }

std::string inner(std::string_view left, std::string_view right) {
  return Sha256().update("\1").update(to_bytes(left)).update(to_bytes(right)).digest();
}

std::string merkle(std::span<const std::string> leaves) {
  if (leaves.size() == 1) return leaves[0];
  std::size_t left = 1;
  while (2 * left < leaves.size()) left *= 2;
  return inner(merkle(leaves.first(left)), merkle(leaves.subspan(left)));
}

void check_sizes(const Decisions& decisions) {
  const std::size_t cases = decisions.cases();
  if (decisions.findings.size() != decisions.questions.size() ||
      decisions.decisions.size() != cases * decisions.questions.size() || decisions.rounds.size() != cases ||
      decisions.consulted.size() != cases * decisions.words()) {
    throw Error("root of decisions: sizes do not fit each other");
  }
  if (std::adjacent_find(decisions.case_id.begin(), decisions.case_id.end(), std::greater_equal<>()) != decisions.case_id.end()) {
    throw Error("root of decisions: case ids are not ascending");
  }
}

}  // namespace

std::string root_hash(const Decisions& decisions) {
  check_sizes(decisions);
  Encoder encoder(decisions);
  std::vector<std::string> leaves;
  std::string block;
  std::size_t in_block = 0;
  const auto close_block = [&] {
    leaves.push_back(leaf(block));
    block.clear();
    in_block = 0;
  };
  for (std::size_t row = 0; row < decisions.cases(); ++row) {
    const std::string& path = encoder.path(row);
    for (const std::size_t question : encoder.questions()) {
      append_number(block, decisions.case_id[row]);
      block += encoder.answer(question, decisions.at(row, question));
      block += path;
      if (++in_block == block_size) close_block();
    }
  }
  if (in_block > 0) close_block();
  return leaves.empty() ? sha256("") : merkle(leaves);
}

std::string name_of(Status status) {
  switch (status) {
    case Status::decide:
      return "decide";
    case Status::abstain:
      return "abstain";
    case Status::escalate:
      return "escalate";
  }
  throw Error("a status that is none: " + std::to_string(static_cast<int>(status)));
}

std::string name_of(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "none";
    case Reason::law:
      return "law";
    case Reason::critical_not_excluded:
      return "critical_not_excluded";
    case Reason::conflict:
      return "conflict";
    case Reason::possible_defeater:
      return "possible_defeater";
    case Reason::blocked:
      return "blocked";
    case Reason::no_rule:
      return "no_rule";
  }
  throw Error("a reason that is none: " + std::to_string(static_cast<int>(reason)));
}

}  // namespace hiple::law
