#pragma once

#include <optional>
#include <string>

#include "run/stored_run.hpp"

namespace hiple {

/// What came of deciding every case again from the files of a run.
struct Replay {
  std::size_t cases = 0, questions = 0;
  std::string stored_root, root;
  bool law_has_changed = false;          ///< the law of run.yaml is another by now; the stored text was used
  std::vector<std::string> differences;  ///< "case 7, state: stored DECIDE hypo, now ABSTAIN (blocked)": the first few
  std::size_t different = 0;             ///< answers in all

  [[nodiscard]] bool same() const { return stored_root == root && different == 0; }
};

/// Decides every case again: by the law's text that stands beside the decisions, from the judgments and the table that they
/// were made from. Throws InputError: there are no decisions, or judgments or table are others now.
Replay replay(const PreparedRun& run, const RunDirectory& directory, std::size_t most_differences = 20);

std::string to_text(const Replay& replay);
std::string to_json(const Replay& replay);

}  // namespace hiple
