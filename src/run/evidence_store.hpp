#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evidence/import.hpp"
#include "run/prepare.hpp"
#include "run/study_evidence.hpp"

namespace hiple {

/// Reads the evidence that run.yaml names. Throws InputError: run.yaml names none, there is no such file, or it is damaged.
StudyEvidence read_evidence(const PreparedRun& run);

/// Throws InputError where run.yaml names no evidence.
void require_evidence(const RunConfig& config);

/// What came of adding files to a study's evidence.
struct EvidenceAdded {
  std::uint64_t cases = 0, rules = 0;              ///< records that are new
  std::vector<evidence::Duplicate> duplicates;     ///< records that were there already, and were not added again
  std::vector<evidence::Standing> contradictions;  ///< that the new records are part of
  std::vector<std::string> abouts;                 ///< of each contradiction: what it is about
  StudyEvidence now;
};

/// Adds CSV files to the evidence that run.yaml names, all of them or none, and makes the file where it is missing. One process
/// at a time: another one is refused, with the name of the first. Ended in the middle, it leaves the evidence as it was or as it
/// shall be. Throws InputError with every problem of every file: nothing is added then.
EvidenceAdded add_evidence(const RunConfig& config, const std::vector<std::filesystem::path>& files);

/// What is wrong, or worth knowing, with a study's evidence.
struct EvidenceCheck {
  StudyEvidence evidence;
  std::vector<std::size_t> unknown_cases;  ///< records about cases that the table does not have, indices into Store::cases
  std::vector<std::size_t> unknown_rules;  ///< records about rules that the law does not have, indices into Store::rules
  std::vector<evidence::RuleStanding> rule_standings;

  /// Every record can be read and speaks of something that is there.
  [[nodiscard]] bool sound() const;
};

/// Reads the whole of it, and the ids of all cases. Throws InputError as read_evidence().
EvidenceCheck check_evidence(const PreparedRun& run);

}  // namespace hiple
