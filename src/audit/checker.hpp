#pragma once

#include <deque>

#include "audit/check.hpp"
#include "audit/full_reading.hpp"
#include "audit/solver.hpp"
#include "audit/witness.hpp"

namespace hiple::audit {

/// A condition somewhere in a law, with the words for it.
struct Part {
  std::string kind, id;  ///< "rule", "F-1"
  const condition::Condition* when = nullptr;
  Place place;
  [[nodiscard]] std::string name() const { return "the " + kind + " " + id; }
};

/// What the checks share: formulas of every rule, one solver, and how findings are told.
class Checker {
 public:
  Checker(const law::Law::Model& law, const CheckOptions& options);
  LawCheck run();

 private:
  // check_conditions.cpp: one condition alone.
  void find_parts();
  void check_part(const Part& part);
  void check_atoms(const Part& part);
  void check_atom(const Part& part, const condition::Node& atom);
  void check_own_head(const law::Rule& rule);

  // check_pairs.cpp: rules against rules.
  void find_samples();
  void check_same_finding(std::size_t a, std::size_t b);
  [[nodiscard]] bool implies(std::size_t a, std::size_t b, bool& unsure);
  void check_overlap(std::size_t a, std::size_t b);
  void check_reachable(std::size_t rule);
  /// Goals under which a rule stands, the rules that override it being FALSE.
  void add_standing(std::size_t rule, std::vector<const Formula*>& goals) const;
  [[nodiscard]] bool has_nested_defeat(std::size_t rule) const;

  // check_whole.cpp: the law as a whole.
  void check_gaps();
  void check_critical();
  void check_links();
  void check_tests();

  // checker.cpp
  void report(Severity severity, const std::string& check, std::vector<std::string> ids, const Place& place, std::string text,
              std::string witness = {});
  void give_up(const std::string& check, std::vector<std::string> ids, std::string why);
  /// The case out of a solution.
  [[nodiscard]] law::GivenCase case_of(const Solution& solution) const {
    return make_witness(law_, variables_, solution.domains);
  }
  [[nodiscard]] std::string text_of(const law::GivenCase& given) const { return law::to_yaml(law_, given); }
  [[nodiscard]] const std::string& id(std::size_t rule) const { return law_.rules[rule].id; }

  const law::Law::Model& law_;
  const CheckOptions& options_;
  law::Scopes scopes_;
  Variables variables_;
  Translator translator_;
  std::vector<Part> parts_;
  std::vector<std::size_t> rules_;           ///< in force, defaults left out
  std::vector<Formula> yes_, no_, not_yes_;  ///< of each rule
  std::vector<std::vector<bool>> sample_;    ///< of each rule: which rules are TRUE in a case where it is; empty: none was found
  std::vector<std::string> sample_text_;
  std::unique_ptr<Solver> solver_;
  LawCheck result_;
};

}  // namespace hiple::audit
