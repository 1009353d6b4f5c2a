#pragma once

#include <memory>
#include <string>

#include "run/revise_drafts.hpp"
#include "run/revise_reading.hpp"

namespace hiple {

/// Finds out what drafts would do: what evidence held out shows of them, cornerstones, static findings, gates, and every answer
/// that would change.
class RevisionExaminer {
 public:
  /// Must outlive it.
  explicit RevisionExaminer(const RevisionReading& from);
  ~RevisionExaminer();

  /// `rule`: the one that is contradicted; `claims`: precisions that all of its drafts must show, together with 95 %. Of another
  /// proposal than `wanted`, where that is not empty, no more is found out than its name.
  Proposal examine(const Draft& draft, const std::string& rule, std::size_t claims, const std::string& wanted);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple
