#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

enum class Support : std::uint8_t { unproven, supported, contradicted };
std::string name_of(Support support);  ///< "UNPROVEN", "SUPPORTED", "CONTRADICTED"

/// What one body of evidence says of one rule: all evidence about cases together, since a case has one value on which its sources
/// agree; or the word of one source about the rule, since what two studies find is never pooled.
struct SupportGroup {
  std::string source;  ///< empty: evidence about cases
  std::uint64_t cases = 0, held = 0;
  double lower = 0, upper = 1;  ///< of the rule's precision; each holds at every look with 95 %
  Support support = Support::unproven;
};

/// One rule, or one law, beside the evidence.
struct RuleSupport {
  std::string id, finding;  ///< of a law: what it forbids or requires; an escalate law claims nothing
  std::int64_t version = 1;
  std::string status;   ///< accepted, proposed ...; of a law "law"
  double required = 0;  ///< precision
  std::vector<SupportGroup> groups;
  Support support = Support::unproven;
  std::string why;                     ///< where it is UNPROVEN although there is evidence, or is a law that is contradicted
  std::vector<std::uint64_t> against;  ///< cases in which evidence says another finding, ascending
};

/// Every rule and law of a run's law beside the evidence.
struct Verification {
  std::string head;  ///< of the evidence
  std::int32_t as_of = 0;
  std::optional<std::int32_t> since;  ///< only evidence of this day and later counts
  std::uint64_t cases = 0;            ///< with evidence about a finding
  std::uint64_t contradictory = 0;    ///< of these answers: where sources differ, and nothing is known
  std::vector<RuleSupport> rules;     ///< by id

  [[nodiscard]] std::uint64_t count(Support support) const;
};

/// Verifies every rule of the run's law by evidence. A rule's case is one in which it stands: its condition is TRUE and nothing
/// overrides it; of one that is not in force or is suspended, its condition alone. It held there if evidence says its finding. A
/// forbid law held where evidence says another finding than the one that it forbids, a require law where what it requires is
/// TRUE. CONTRADICTED is a rule whose precision is shown to be under what is required of it, SUPPORTED one that is shown to be
/// over it: at every look, and with 95 % for all rules and bodies of evidence together (Holm). Where one body of evidence shows
/// the one and another the other, it is UNPROVEN. A rule that reads evidence about its own question, or is overridden by one that
/// does, cannot be verified by evidence about cases. Throws InputError: the run names no evidence; `since` is after its day.
Verification verify_rules(const PreparedRun& run, const RunDirectory& directory,
                          std::optional<std::int32_t> since = std::nullopt);

/// The same by a table and judgments that were read already, with the evidence that the law reads beside the table's columns.
Verification verify_rules(const PreparedRun& run, const Table& table, const std::vector<law::EngineJudgments>& engines);

/// The precision that is required where neither a rule nor its law names one.
inline constexpr double usual_precision = 0.9;

std::string to_text(const Verification& verification, std::size_t most);
std::string to_json(const Verification& verification);

}  // namespace hiple
