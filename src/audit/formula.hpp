#pragma once

#include <vector>

#include "audit/domain.hpp"

namespace hiple::audit {

/// What is wanted of a three-valued condition.
enum class Want : std::uint8_t { yes, no, not_yes, not_no };
Want opposite(Want want);  ///< of NOT: yes for no, not_yes for not_no

/// An atom that domains cannot express: arithmetic, or an aggregate, which nothing here can.
struct Hard {
  const condition::Node* node = nullptr;
  bool arithmetic = false;
};

/// A two-valued formula over domains, as deep as the condition that it came from: nested `and` and `or` are never expanded.
struct Formula {
  enum class Kind : std::uint8_t { all, any, domain, hard };
  Kind kind = Kind::all;  ///< `all` of nothing is true, `any` of nothing is false
  std::vector<Formula> parts;
  std::size_t variable = 0;  ///< of a domain
  Domain domain;
  std::size_t hard = 0;  ///< of a hard atom: its number
  Want want = Want::yes;

  static Formula truth(bool value) { return {value ? Kind::all : Kind::any, {}, 0, {}, 0, Want::yes}; }
  static Formula of(std::size_t variable, const Domain& domain) { return {Kind::domain, {}, variable, domain, 0, Want::yes}; }
};

/// Turns conditions of one law into formulas.
class Translator {
 public:
  Translator(const law::Law::Model& law, const Variables& variables) : law_(&law), variables_(&variables) {}

  /// The condition's nodes must outlive the translator: hard atoms point to them.
  Formula translate(const condition::Node& node, Want want);
  [[nodiscard]] const std::vector<Hard>& hard() const { return hard_; }

 private:
  struct Operand {
    std::size_t variable = 0;
    std::vector<Formula> known, unknown;  ///< all of these; any of these
  };
  [[nodiscard]] std::optional<Operand> operand_of(const condition::Node& node) const;
  void add_knowledge(const condition::Node& node, Operand& operand) const;
  [[nodiscard]] static Formula atom(Operand operand, Formula value, Formula other, Want want);
  [[nodiscard]] std::optional<Formula> simple(const condition::Node& node, Want want) const;
  [[nodiscard]] std::optional<Formula> compare(const condition::Node& node, Want want) const;
  [[nodiscard]] std::optional<Formula> compare_texts(const condition::Node& node, Want want) const;
  [[nodiscard]] std::optional<Formula> compare_age(const condition::Node& node, Want want) const;
  [[nodiscard]] std::optional<Formula> in_set(const condition::Node& node, Want want) const;
  [[nodiscard]] std::optional<Formula> in_interval(const condition::Node& node, Want want) const;
  [[nodiscard]] Formula half_line(std::size_t variable, condition::Op op, double number) const;
  Formula hard_atom(const condition::Node& node, Want want);

  const law::Law::Model* law_;
  const Variables* variables_;
  std::vector<Hard> hard_;
};

/// The value of a node that reads nothing: a literal, a negative one, arithmetic of literals.
std::optional<double> constant_of(const condition::Node& node);

}  // namespace hiple::audit
