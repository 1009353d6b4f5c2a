#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/unset_vector.hpp"

namespace hiple::law {

enum class Status : std::uint8_t { decide = 0, abstain = 1, escalate = 2 };

/// Why a question was not decided; the numbers stand in files.
enum class Reason : std::uint8_t {
  none = 0,  ///< it was decided
  law = 1,
  critical_not_excluded = 2,
  conflict = 3,
  possible_defeater = 4,
  blocked = 5,
  no_rule = 6,
  contradicted_by_evidence = 7,
};

/// `gate_closed`: the partition was not trusted, every engine was consulted; what the law would have abstained from is escalated,
/// and then `escalated`, which says that the law itself called for a person, is not set.
namespace flag {
inline constexpr std::uint8_t firm = 1, critical = 2, escalated = 4, broadened = 8, gate_closed = 16, capped = 32;
}

inline constexpr std::uint16_t no_index = 65535;
inline constexpr std::uint32_t no_rule_index = 0xFFFFFFFF;

/// The answer to one question about one case: eight bytes, for there are hundreds of millions of them.
struct Decision {
  Status status : 2 = Status::abstain;
  Reason reason : 6 = Reason::no_rule;
  std::uint8_t flags = 0;
  std::uint16_t finding = no_index;    ///< index into Decisions::findings[question]
  std::uint32_t rule = no_rule_index;  ///< the first, by id, of the rules (or laws) cited: index into Decisions::rules

  bool operator==(const Decision&) const = default;
};
static_assert(sizeof(Decision) == 8);

/// A rule or law as it was in force.
struct RuleRecord {
  std::string id;
  std::int64_t version = 1;
  std::string sha256;  ///< of its canonical text
};

/// What became of an engine that the law reads.
struct EngineRecord {
  std::string name;
  bool available = false;
  std::string reason;            ///< why it is not available
  std::string judgments_sha256;  ///< of the content of its judgments file
};

/// All decisions of a run. Indices follow ascending names: questions, findings within a question, rules and engines.
struct Decisions {
  std::vector<std::string> questions;
  std::vector<std::vector<std::string>> findings;
  std::vector<RuleRecord> rules;
  std::vector<EngineRecord> engines;
  std::vector<std::uint64_t> case_id;    ///< ascending
  UnsetVector<Decision> decisions;       ///< [cases, questions]
  std::vector<std::uint8_t> rounds;      ///< one a case
  std::vector<std::uint64_t> consulted;  ///< [cases, words]: bit e % 64 of word e / 64 is engine e
  std::string law_text;                  ///< canonical
  std::string inputs_sha256;             ///< slice_sha256() of the columns that the law reads
  std::string evidence;                  ///< head of the evidence that the law heeded; empty where it heeded none
  std::string closed_by;                 ///< sha256 of the gate report that closed the partition; empty where it was open
  std::string root;                      ///< Merkle root, see root_hash()

  [[nodiscard]] std::size_t cases() const { return case_id.size(); }
  [[nodiscard]] std::size_t words() const { return (engines.size() + 63) / 64; }
  [[nodiscard]] const Decision& at(std::size_t row, std::size_t question) const {
    return decisions[row * questions.size() + question];
  }
};

/// Merkle root over blocks of 4096 cases in the order of case_id, in a canonical encoding (names and rule@version, never indices;
/// no time, no rank): see root.hpp. `threads` share the blocks.
std::string root_hash(const Decisions& decisions, int threads = 1);

/// Writes decisions.h5 (format "hiple decisions", version 3), whole or not at all. `root` is written as it stands: it must be
/// root_hash(decisions), as decide() leaves it; read_decisions() checks it.
void write_decisions(const std::filesystem::path& path, const Decisions& decisions);

/// Throws InputError: not complete, damaged, or its root does not fit its content.
Decisions read_decisions(const std::filesystem::path& path);

std::string name_of(Status status);
std::string name_of(Reason reason);

}  // namespace hiple::law
