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
  /// What speaks there, of all that differs: rules, laws and links by id, engines that judged the case otherwise, or other parts.
  std::vector<std::string> by = {};
};

/// What changes between two versions of a law, or of what it decides from.
struct LawDiff {
  std::vector<std::string> added, removed, changed;  ///< rules, laws and links, by id
  std::vector<std::string> reworded;                 ///< only title, version, reason, evidence, precision or examples differ
  std::vector<std::string> elsewhere;                ///< other parts that differ, "route": then every case is decided twice
  std::vector<std::string> judged_anew;              ///< engines whose judgments are others
  std::vector<std::string> new_questions;            ///< that only the later law asks: their answers are no changes
  std::size_t cases = 0, evaluated = 0;              ///< cases that could change at all
  std::size_t answers = 0, different = 0;            ///< answers in all, and those that change
  std::vector<AnswerChange> changes;                 ///< every one: critical ones first, then by case
};

/// Decides the cases of a table under both laws, but only those that can change: where every rule, law and link that differs has
/// the same known truth in both versions already by what the home engines say, nothing that follows can differ. A rule whose text
/// is the same differs where it counts over a panel with other engines. `all`: every case, for tests. Both laws must have been
/// read against the table's schema.
LawDiff diff_laws(const law::Law& before, const law::Law& after, const Table& table,
                  const std::vector<law::EngineJudgments>& engines, bool all = false);

/// The same where the engines are not the same either: the later law may know more of them, and those that judged anew differ
/// wherever their word is another.
LawDiff diff_laws(const law::Law& before, const std::vector<law::EngineJudgments>& engines_before, const law::Law& after,
                  const std::vector<law::EngineJudgments>& engines_after, const Table& table, bool all = false);

/// `most`: how many changes are listed.
std::string to_text(const LawDiff& diff, std::size_t most);
std::string to_json(const LawDiff& diff);

}  // namespace hiple::audit
