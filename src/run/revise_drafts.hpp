#pragma once

#include "run/revise_evidence.hpp"
#include "run/revise_text.hpp"

namespace hiple {

/// A law as a proposal would write it, before anything is known of what it does.
struct Draft {
  std::string kind, summary;
  std::string text;
  std::vector<std::string> changed;  ///< ascending
  std::size_t edits = 0;
  std::vector<std::string> must_show;  ///< rules that claim something there: their precision must be shown
  std::vector<std::string> notes;
};

/// What drafts of one rule are made from: the law as it is, and cases that are not held out.
struct DraftSources {
  const law::Law& law;  ///< not heeding evidence
  const std::string& text;
  const std::filesystem::path& file;
  const RevisionCases& cases;
  const LawOnCases& now;
  std::string evidence;  ///< head
};

/// Moved thresholds, alone and with the other rules that compare the same with the same number; an exception where a condition
/// tells right from wrong; suspension there, or everywhere; retirement.
std::vector<Draft> draft_revisions(const DraftSources& sources, std::size_t rule);

}  // namespace hiple
