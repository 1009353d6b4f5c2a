#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/revise_evidence.hpp"
#include "run/stored_run.hpp"

namespace hiple {

/// What a revision begins with: the run's decisions and all that they were made from, the law, and evidence as it is now.
struct RevisionReading {
  /// `held_out_since`: evidence of this day and later is held out; else half of the cases. Throws InputError: the run names no
  /// evidence or has not decided; its law is not the one that it decided by. Keeps references: both must outlive it.
  RevisionReading(const PreparedRun& prepared, const RunDirectory& in, std::optional<std::int32_t> held_out_since);

  /// law.yaml with another text, which heeds no evidence.
  [[nodiscard]] law::Law read(const std::string& text) const;
  /// A law as the run decides by it: heeding evidence as it is now, and closed where the run is.
  [[nodiscard]] law::Law in_force(law::Law law) const;

  const PreparedRun& run;
  const RunDirectory& directory;
  StoredRun stored;                    ///< with evidence as it is now beside the table
  std::string source;                  ///< law.yaml as it is
  law::Law before;                     ///< as it decided
  law::Law plain;                      ///< heeding no evidence
  std::vector<std::uint32_t> renewed;  ///< rows about which evidence says something else than when they were decided
  RevisionCases cases;                 ///< with evidence
  LawOnCases now;                      ///< what the law says of them by itself
};

/// A rule's place in Model::rules. Throws Error where there is none.
std::size_t number_of_rule(const law::Law& law, const std::string& id);

}  // namespace hiple
