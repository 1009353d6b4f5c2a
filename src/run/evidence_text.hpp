#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "run/evidence_store.hpp"

namespace hiple {

/// Which records are listed; those that are not named do not matter.
struct EvidenceQuery {
  std::optional<std::uint64_t> case_id;
  std::string about, rule, source;
  bool contradictory = false;  ///< only records that contradict one another
  std::size_t most = 50;       ///< for people; programs get all
};

std::string to_text(const EvidenceAdded& added, std::size_t most);
std::string to_json(const EvidenceAdded& added);

/// Records with what became of them: "counts", "contradictory", "said later", "taken back", "unreadable", "unknown", "after
/// the run's day", "unreliable". Throws InputError, with the nearest name: nothing of the kind is recorded.
std::string list_text(const StudyEvidence& evidence, const EvidenceQuery& query);
std::string list_json(const StudyEvidence& evidence, const EvidenceQuery& query);

std::string to_text(const EvidenceCheck& check, std::size_t most);
std::string to_json(const EvidenceCheck& check);

}  // namespace hiple
