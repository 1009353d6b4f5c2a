#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hiple::scaling {

/// A claim of the study as it was judged. Figure and interval are missing where nothing was measured.
struct JudgedClaim {
  std::string id;        ///< "C1" to "C20"
  std::string claim;     ///< what it says
  std::string command;   ///< whose results judge it
  std::string expected;  ///< what they look like where it holds
  std::string verdict;   ///< HOLDS, FAILS, NOT SHOWN or HOLDS IN SIMULATION
  std::optional<std::string> figure, interval;
  std::vector<std::string> sentences;  ///< all figures, and why
};

struct Verdicts {
  std::filesystem::path folder;
  std::string revision;  ///< of the programs that made the results
  std::vector<JudgedClaim> claims;
};

/// Reads the verdicts of a results folder (verdicts.json, written by scaling/study/judged.py). Throws InputError where there are
/// none, where one of the twenty is missing or damaged, or where data in the folder are others than those that were judged:
/// changed, gone or new.
Verdicts read_verdicts(const std::filesystem::path& folder);

/// Several folders as one table: of each claim the verdict that says most; one that fails anywhere fails. Throws InputError with
/// both names where two are of different revisions. `all` is not empty.
Verdicts join_verdicts(const std::vector<Verdicts>& all);

}  // namespace hiple::scaling
