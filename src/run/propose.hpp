#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/rule_support.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct ProposeSettings {
  double held_out = 0.5;      ///< share of the cases with evidence that proposals are shown on, and not made from
  std::uint64_t least = 5;    ///< cases, in which the law misses what evidence says, that a proposal must cover
  std::string question = {};  ///< only rules for this one; empty: all
};

/// Cases with evidence that a proposal covers.
struct ShownBy {
  std::uint64_t cases = 0, right = 0;  ///< of a link: in which it fires, and in which the engine that it calls is needed
};

/// A rule or a link that nobody wrote. Nothing accepts it but a person.
struct Candidate {
  bool is_link = false;
  std::string id, when;
  std::string finding;                 ///< of a rule
  std::vector<std::string> overrides;  ///< rules of another finding that it must beat, where evidence says so
  std::string from, to;                ///< of a link
  ShownBy made;                        ///< in the cases that it was made from
  ShownBy held_out;                    ///< in the others
  double lower = 0, upper = 1;         ///< of its precision, by those others, at every look with 95 %
  double required = 0;  ///< of a rule: its precision; of a link: the share of all cases in which the engine is needed
  Support support = Support::unproven;      ///< by those others, for all proposals together
  std::vector<std::uint64_t> witnesses;     ///< of all: cases that the law misses and it does not, ascending
  std::vector<std::uint64_t> against;       ///< cases in which it is wrong
  std::uint64_t changes = 0, critical = 0;  ///< answers of the run that it would change, and how many of them are critical
};

struct Proposals {
  std::string head;                      ///< of the evidence
  std::uint64_t made = 0, held_out = 0;  ///< cases with evidence
  std::uint64_t missed = 0;              ///< answers about the former that are not what evidence says
  std::vector<Candidate> list;           ///< the best first
  std::string links_why;                 ///< why no links were looked for; or empty
  std::string law;                       ///< the law with the rules in it, `status: proposed`; links stand in comments
};

/// Looks for rules and links in the judgments and the evidence of a run that has decided, without a gradient.
///
/// Rules: for each finding that evidence names and the law does not decide, conjunctions by sequential covering (cover()) of what
/// conditions can say of engines and columns: labels, probabilities and numbers above and below limits between the values that
/// there are, categories, booleans. A rule for another finding that stands in cases where the new one is right is overridden
/// where evidence sides with the new one, but never a rule for a critical finding. Links: where evidence says what all engines
/// together would have found, and the law did not, the engines that were needed and not asked; what an engine that was asked said
/// there.
///
/// What is found is held against cases with evidence that it was not made from (which, is a matter of the case's id alone), as
/// `hiple evidence verify` holds a rule. Throws InputError: no decisions, no evidence, no such question.
Proposals propose(const PreparedRun& run, const RunDirectory& directory, const ProposeSettings& settings);

/// `most`: how many cases of a kind are listed.
std::string to_text(const Proposals& proposals, std::size_t most);
std::string to_json(const Proposals& proposals);

}  // namespace hiple
