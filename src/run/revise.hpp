#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/law_diff.hpp"
#include "run/revise_history.hpp"
#include "run/rule_support.hpp"

namespace hiple {

/// What evidence that a proposal was not made from shows of one rule as it would be.
struct ShownPrecision {
  std::string rule, finding;
  double required = 0;
  std::uint64_t cases = 0, held = 0;
  double lower = 0;  ///< holds at every look, and for all proposals of a rule together, with 95 %
  bool shown = false;
};

/// Cases with evidence, by what the law says of them: their evidence itself not heeded.
struct Agreement {
  std::uint64_t right = 0, wrong = 0, undecided = 0;
};

/// One way to revise a contradicted rule.
struct Proposal {
  std::string id;    ///< "WITHIN.threshold.3f9a2c": with a part of the hash of the law that it makes
  std::string rule;  ///< the one that is contradicted
  std::string kind;  ///< threshold, exception, suspend, retire
  std::string summary;
  std::string text;                  ///< law.yaml as it would be
  std::vector<std::string> changed;  ///< rules that differ, ascending
  std::size_t edits = 0;             ///< conditions, thresholds and rules that are written anew: fewer are simpler
  std::vector<ShownPrecision> shown;
  Agreement before, after;                   ///< on evidence held out
  std::vector<std::uint64_t> broken;         ///< cornerstone cases that would be decided wrongly
  std::uint64_t cornerstones = 0, lost = 0;  ///< of which so many would not be decided any more
  std::vector<std::string> dropped_examples;
  std::vector<std::string> conflicts;     ///< static findings that are new and forbid it
  std::vector<std::string> notes;         ///< other new findings, and what a person should know
  std::vector<std::string> broken_gates;  ///< that pass now and would not
  audit::LawDiff diff;                    ///< every answer that would change, critical ones first
  std::vector<std::string> refused;       ///< why it cannot be accepted; empty: it can
};

/// A rule or a law that evidence contradicts.
struct Contradiction {
  RuleSupport support;
  bool is_law = false;
  std::vector<std::string> to;      ///< of a law: to whom it goes
  std::vector<Proposal> proposals;  ///< those that can be accepted first, then by what they leave wrong, undecided and unsimple
};

struct ReviseSettings {
  std::optional<std::int32_t> held_out_since;  ///< evidence of this day and later is held out; else half of the cases
  int threads = 1;
  /// For tests: called with "law", "decisions", "record" and "pointer" when each has been written.
  std::function<void(const std::string&)> written;
};

/// Revises a run's law by its evidence. Holds the run's lock as long as it lives.
class Reviser {
 public:
  /// Reads decisions, judgments, table and evidence. Throws InputError: the run names no evidence or has not decided; another
  /// process works on it, which is named; its law is not the one that it decided by.
  Reviser(const PreparedRun& run, const RunDirectory& directory, ReviseSettings settings);
  ~Reviser();
  Reviser(const Reviser&) = delete;
  Reviser& operator=(const Reviser&) = delete;

  /// Every rule and law that is contradicted, with what could become of it.
  const std::vector<Contradiction>& contradictions();
  /// Throws InputError: there is no such proposal, or it cannot be accepted, with every reason.
  RevisionRecord accept(const std::string& proposal);
  [[nodiscard]] const std::string& evidence_head() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Takes the revision in force back: its parent stands again, with the decisions that it had. What was taken back.
RevisionRecord undo_revision(const RunDirectory& directory);

/// `most`: how many changed answers of a proposal are listed.
std::string to_text(const std::vector<Contradiction>& contradictions, std::size_t most);
std::string to_json(const std::vector<Contradiction>& contradictions);
std::string to_text(const RevisionRecord& record, const RunDirectory& directory);
std::string to_json(const RevisionRecord& record);
std::string history_text(const RunDirectory& directory);

}  // namespace hiple
