#pragma once

#include <optional>

#include "run/revise.hpp"
#include "run/rule_evidence.hpp"
#include "run/stored_run.hpp"

namespace hiple {

/// The cases that evidence says a finding of, gathered: what proposals are made from, and what is held out from them.
class RevisionCases {
 public:
  /// `stored` must outlive it. `since`: evidence of that day and later is held out; else half of the cases, by their ids.
  RevisionCases(const law::Law& law, const StudyEvidence& evidence, const StoredRun& stored, std::optional<std::int32_t> since);

  [[nodiscard]] std::size_t size() const { return table_.rows(); }
  [[nodiscard]] std::uint64_t case_id(std::size_t i) const { return table_.case_id[i]; }
  [[nodiscard]] std::size_t said(std::size_t i, std::size_t question) const { return said_[i][question]; }
  [[nodiscard]] bool held_out(std::size_t i) const { return held_out_[i]; }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] const std::vector<law::EngineJudgments>& engines() const { return engines_; }

 private:
  Table table_;
  std::vector<Said> said_;
  std::vector<bool> held_out_;
  std::vector<Judgments> judgments_;
  std::vector<law::EngineJudgments> engines_;
};

/// What a law says of these cases, whether or not it heeds evidence.
class LawOnCases {
 public:
  LawOnCases(const law::Law& law, const RevisionCases& cases);

  /// The finding that is decided, or no_number: findings are numbered alike in all versions.
  [[nodiscard]] std::size_t decided(std::size_t i, std::size_t question) const { return decided_[i * questions_ + question]; }
  /// Whether a rule, by its number in this law, speaks there.
  [[nodiscard]] bool speaks(std::size_t i, std::size_t rule) const { return speaks_[i * rules_ + rule]; }

  /// Over cases that are held out, or over all.
  [[nodiscard]] Agreement agreement(const RevisionCases& cases, std::size_t question) const;
  /// In how many cases held out a rule speaks, and in how many of these evidence says what it says.
  [[nodiscard]] ShownPrecision precision(const law::Law& law, const RevisionCases& cases, std::size_t rule,
                                         double confidence) const;

 private:
  std::size_t questions_ = 0, rules_ = 0;
  std::vector<std::size_t> decided_;
  std::vector<bool> speaks_;
};

/// Puts the evidence of now in the place of that of the decisions. The rows in which it says something else.
std::vector<std::uint32_t> renew_evidence(const law::Law& law, const StudyEvidence& evidence, Table& table);

}  // namespace hiple
