#pragma once

#include <string>
#include <vector>

#include "law/law.hpp"

namespace hiple::audit {

/// One question about one case that two versions of a law answer differently.
struct AnswerChange {
  std::uint64_t case_id = 0;
  std::string question, before, after;  ///< "DECIDE hypo, firm", "ESCALATE to surgeon (conflict)"
  bool critical = false;                ///< a critical finding is in play, before or after
};

/// What changes between two versions of a law.
struct LawDiff {
  std::vector<std::string> added, removed, changed;  ///< rules, laws and links, by id
  std::vector<std::string> reworded;                 ///< only title, version, reason, evidence, precision or examples differ
  std::vector<std::string> elsewhere;                ///< other parts that differ, "route": then every case is decided twice
  std::size_t cases = 0, evaluated = 0;              ///< cases that could change at all
  std::size_t answers = 0, different = 0;            ///< answers in all, and those that change
  std::vector<AnswerChange> changes;                 ///< every one: critical ones first, then by case
};

/// Decides the cases of a table under both laws, but only those that can change: where every rule, law and link that differs has
/// the same known truth in both versions already by what the home engines say, nothing that follows can differ. `all`: every
/// case, for tests. Both laws must have been read against the table's schema.
LawDiff diff_laws(const law::Law& before, const law::Law& after, const Table& table,
                  const std::vector<law::EngineJudgments>& engines, bool all = false);

/// `most`: how many changes are listed.
std::string to_text(const LawDiff& diff, std::size_t most);
std::string to_json(const LawDiff& diff);

}  // namespace hiple::audit
