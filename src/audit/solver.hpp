#pragma once

#include <optional>
#include <vector>

#include "audit/arithmetic.hpp"

namespace hiple::audit {

/// Values for the variables that a question reads.
struct Solution {
  Found found = Found::no;      ///< unknown: the search was given up, or Z3 was
  std::vector<Domain> domains;  ///< of every variable: any value in it will do, but for what the engines' sums ask
  bool unverified = false;      ///< an atom that nothing here can express was taken for what it had to be
};

/// Looks for values under which all of some formulas are true. A search over the choices of `any`, with intervals narrowed
/// at each step: complete for comparisons with constants, known() and sets. What is left of arithmetic at the end of a branch,
/// a conjunction, goes to Z3. An engine's probabilities add up to 1, and its label is its largest.
class Solver {
 public:
  Solver(const law::Law::Model& law, const Variables& variables, const Translator& translator);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  Solution solve(const std::vector<const Formula*>& goals);
  /// The same without keeping the values.
  Found satisfiable(const std::vector<const Formula*>& goals);

  /// Steps after which a search is given up.
  static constexpr std::size_t most_steps = 20'000;

 private:
  struct Change {
    std::size_t variable;
    Domain before;
  };

  Found search(std::vector<const Formula*> open);
  bool simplify(std::vector<const Formula*>& open);
  bool narrow(std::size_t variable, const Domain& domain);
  void undo(std::size_t changes, std::size_t hard);
  [[nodiscard]] Found status(const Formula& formula) const;
  Found leaf();
  bool engines_fit();
  bool engine_fits(std::size_t engine);
  [[nodiscard]] bool label_fits(std::size_t engine, std::size_t label) const;
  Found arithmetic_fits();

  const law::Law::Model& law_;
  const Variables& variables_;
  const Translator& translator_;
  std::vector<Domain> domains_;
  std::vector<Change> changes_;
  std::vector<const Formula*> hard_;
  std::vector<std::size_t> engine_of_;  ///< of each variable, or none
  std::size_t steps_ = 0;
  bool unverified_ = false;
  std::vector<Domain> solution_;
  bool keep_ = false;
  Arithmetic arithmetic_;
};

}  // namespace hiple::audit
