#pragma once

#include <memory>

#include "law/explain_subject.hpp"
#include "law/given_case.hpp"
#include "law/settlement.hpp"

namespace hiple::law {

/// The whole derivation of one case, evaluated once and told in three ways. Model and table must outlive it.
class Derivation {
 public:
  /// A case of a table. Throws InputError: no such case.
  Derivation(const Law::Model& law, const Table& table, std::vector<EngineJudgments> engines, std::uint64_t case_id);
  /// A case that somebody wrote down: every engine that it gives counts as consulted from the start.
  Derivation(const Law::Model& law, const GivenCase& given);
  ~Derivation();
  Derivation(const Derivation&) = delete;
  Derivation& operator=(const Derivation&) = delete;

  /// For people. `why_not`: a rule's or a law's id, to say what keeps it from carrying the decision; may be empty. Throws
  /// InputError, with the nearest id: there is none.
  [[nodiscard]] std::string text(const std::string& why_not = {}) const;
  /// For programs: inputs, rounds, judgments, panels, and of each question the answer, the rules and the laws, each with the
  /// tree of its condition: text, truth, causes and the values that were read.
  /// `settlements`: what would settle questions that are not decided, which is for the caller to find.
  [[nodiscard]] std::string json(const std::vector<Settlement>& settlements = {}) const;
  /// A graph for `dot`: inputs and engines, the atoms that were read, rules and laws, who defeats whom, the answers.
  [[nodiscard]] std::string graph(const std::vector<Settlement>& settlements = {}) const;

  [[nodiscard]] const Subject& subject() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple::law
