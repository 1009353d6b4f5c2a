#include "audit/arithmetic.hpp"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"

namespace hiple::audit {

using condition::Node;
using condition::Op;

namespace {

/// Bounds beyond this are left out: they come from the type, not from the schema.
constexpr double unbounded = 1e300;

/// One conjunction while it is put into words for Z3.
class Problem {
 public:
  Problem(z3::context& context, const Variables& variables, const std::vector<Domain>& domains)
      : context_(context), variables_(variables), domains_(domains), solver_(context) {
    solver_.set("timeout", Arithmetic::patience);
  }

  void add(const Node& node, Want want) {
    divisors_.clear();
    const z3::expr holds = truth(node);
    z3::expr defined = context_.bool_val(true);
    for (const z3::expr& divisor : divisors_) defined = defined && divisor != 0;
    const bool strict = want == Want::yes || want == Want::no;
    const z3::expr value = want == Want::yes || want == Want::not_no ? holds : !holds;
    solver_.add(strict ? defined && value : !defined || value);
  }

  Found run(std::vector<Arithmetic::Value>& values) {
    const z3::check_result result = solver_.check();
    if (result == z3::unknown) return Found::unknown;
    if (result == z3::unsat) return Found::no;
    const z3::model model = solver_.get_model();
    for (const auto& [variable, expression] : numbers_) {
      constexpr unsigned digits = 30;
      std::string text = Z3_get_numeral_decimal_string(context_, model.eval(expression, true), digits);
      text.erase(std::remove(text.begin(), text.end(), '?'), text.end());
      const auto value = parse_real(text);
      if (!value) return Found::unknown;
      const Domain& domain = domains_[variable];
      const double rounded = variables_[variable].single ? static_cast<double>(static_cast<float>(*value)) : *value;
      values.emplace_back(variable, std::clamp(rounded, domain.low, domain.high));
    }
    return Found::yes;
  }

 private:
  z3::expr literal(double value) { return context_.real_val(fmt::format("{:.120f}", value).c_str()); }

  z3::expr variable(std::size_t number) {
    const auto found = numbers_.find(number);
    if (found != numbers_.end()) return found->second;
    const std::string name = "v" + std::to_string(number);
    const bool whole = variables_[number].whole;
    const z3::expr made = whole ? z3::to_real(context_.int_const(name.c_str())) : context_.real_const(name.c_str());
    const Domain& domain = domains_[number];
    if (std::abs(domain.low) < unbounded) solver_.add(made >= literal(domain.low));
    if (std::abs(domain.high) < unbounded) solver_.add(made <= literal(domain.high));
    numbers_.emplace(number, made);
    return made;
  }

  z3::expr number(const Node& node) {
    const z3::expr raw = raw_number(node);
    if (node.conversion.identity()) return raw;
    return raw * literal(node.conversion.scale) + literal(node.conversion.offset);
  }

  z3::expr raw_number(const Node& node) {
    if (node.op == Op::number) return literal(node.value);
    if (node.op == Op::column) return variable(variables_.column(node.index));
    if (node.op == Op::attribute) return variable(variables_.attribute(node));
    if (node.op == Op::minus) return -number(node.operands[0]);
    const z3::expr left = number(node.operands[0]), right = number(node.operands[1]);
    if (node.op == Op::add) return left + right;
    if (node.op == Op::subtract) return left - right;
    if (node.op == Op::multiply) return left * right;
    divisors_.push_back(right);
    return left / right;
  }

  z3::expr truth(const Node& node) {
    const z3::expr a = number(node.operands[0]), b = number(node.operands[1]);
    switch (node.op) {
      case Op::equal:
        return a == b;
      case Op::not_equal:
        return a != b;
      case Op::less:
        return a < b;
      case Op::less_equal:
        return a <= b;
      case Op::greater:
        return a > b;
      case Op::greater_equal:
        return a >= b;
      default:
        break;
    }
    const z3::expr c = number(node.operands[2]);
    if (node.op == Op::within) return a - b <= c && b - a <= c;
    return (node.closed_low ? b <= a : b < a) && (node.closed_high ? a <= c : a < c);
  }

  z3::context& context_;
  const Variables& variables_;
  const std::vector<Domain>& domains_;
  z3::solver solver_;
  std::map<std::size_t, z3::expr> numbers_;
  std::vector<z3::expr> divisors_;
};

}  // namespace

struct Arithmetic::State {
  z3::context context;
};

Arithmetic::Arithmetic(const Variables& variables) : variables_(variables) {}
Arithmetic::~Arithmetic() = default;

Found Arithmetic::solve(const std::vector<Atom>& atoms, const std::vector<Domain>& domains, std::vector<Value>& values) {
  try {
    if (state_ == nullptr) state_ = std::make_unique<State>();  // it takes a millisecond, and most laws need none
    Problem problem(state_->context, variables_, domains);
    for (const auto& [node, want] : atoms) problem.add(*node, want);
    return problem.run(values);
  } catch (const z3::exception&) {
    return Found::unknown;  // out of its resources: not analysed
  }
}

}  // namespace hiple::audit
