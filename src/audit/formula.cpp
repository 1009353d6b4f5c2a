#include "audit/formula.hpp"

#include <algorithm>
#include <cmath>

#include "condition/compare.hpp"
#include "condition/condition.hpp"

namespace hiple::audit {

using condition::Kind;
using condition::Node;
using condition::Op;

namespace {

/// A view of nothing but one date.
class DateView : public condition::View {
 public:
  explicit DateView(double day) : day_(day) {}
  [[nodiscard]] condition::Field column(std::size_t) const override { return {condition::Field::State::known, day_}; }

 private:
  double day_;
};

double years_of(const Node& age, double day) {
  condition::CauseSet ignored;
  return condition::value_of(age, DateView(day), ignored).value_or(0);
}

Op negated(Op op) {
  switch (op) {
    case Op::less:
      return Op::greater_equal;
    case Op::less_equal:
      return Op::greater;
    case Op::greater:
      return Op::less_equal;
    case Op::greater_equal:
      return Op::less;
    case Op::equal:
      return Op::not_equal;
    default:
      return Op::equal;
  }
}

bool is_comparison(Op op) { return op >= Op::equal && op <= Op::greater_equal; }

Formula group(Formula::Kind kind, std::vector<Formula> parts) { return {kind, std::move(parts), 0, {}, 0, Want::yes}; }

/// Columns and attributes that arithmetic reads; false where it reads something else.
bool find_leaves(const Node& node, std::vector<const Node*>& leaves) {
  if (!node.groups.empty() || node.op == Op::age || node.kind == Kind::text || node.kind == Kind::date) return false;
  if (node.op == Op::column || node.op == Op::attribute) leaves.push_back(&node);
  if (node.op == Op::finding || node.op == Op::agree) return false;
  return std::all_of(node.operands.begin(), node.operands.end(), [&](const Node& each) { return find_leaves(each, leaves); });
}

}  // namespace

Want opposite(Want want) {
  switch (want) {
    case Want::yes:
      return Want::no;
    case Want::no:
      return Want::yes;
    case Want::not_yes:
      return Want::not_no;
    case Want::not_no:
      break;
  }
  return Want::not_yes;
}

std::optional<double> constant_of(const Node& node) {
  if (node.op == Op::text && node.kind == Kind::date) return node.value;
  std::vector<const Node*> leaves;
  if (node.kind != Kind::integer && node.kind != Kind::real) return std::nullopt;
  if (!find_leaves(node, leaves) || !leaves.empty()) return std::nullopt;
  condition::CauseSet ignored;
  return condition::value_of(node, DateView(0), ignored);
}

/// yes: all is known, and the value is as wanted; not_yes: something is unknown, or the value is another.
Formula Translator::atom(Operand operand, Formula value, Formula other, Want want) {
  const bool positive = want == Want::yes || want == Want::not_no;
  Formula wanted = positive ? std::move(value) : std::move(other);
  const bool strict = want == Want::yes || want == Want::no;
  std::vector<Formula> parts = strict ? std::move(operand.known) : std::move(operand.unknown);
  parts.push_back(std::move(wanted));
  return group(strict ? Formula::Kind::all : Formula::Kind::any, std::move(parts));
}

void Translator::add_knowledge(const Node& node, Operand& operand) const {
  if (node.op == Op::attribute) {
    const std::size_t state = variables_->state(node.index);
    const bool typicality = node.attribute == condition::Attribute::typicality;
    const bool judged_attribute = node.attribute == condition::Attribute::judged;
    Domain heard = Domain::code(0);
    if (typicality || judged_attribute) heard.codes[0] |= 2;
    if (judged_attribute) heard.codes[0] |= 4;
    Domain silent = Domain::first_codes(4);
    silent.codes[0] &= ~heard.codes[0];
    operand.known.push_back(Formula::of(state, heard));
    operand.unknown.push_back(Formula::of(state, silent));
    return;
  }
  const std::size_t variable = node.op == Op::finding ? variables_->finding(node.index) : variables_->column(node.index);
  Domain known = (*variables_)[variable].all, missing = known;
  known.missing = false;
  missing.codes = {};
  missing.low = 0;
  missing.high = -1;
  operand.known.push_back(Formula::of(variable, known));
  operand.unknown.push_back(Formula::of(variable, missing));
}

std::optional<Translator::Operand> Translator::operand_of(const Node& node) const {
  const bool readable = node.op == Op::column || node.op == Op::attribute || node.op == Op::finding;
  if (!readable || !node.conversion.identity()) return std::nullopt;
  Operand operand;
  operand.variable = node.op == Op::finding     ? variables_->finding(node.index)
                     : node.op == Op::attribute ? variables_->attribute(node)
                                                : variables_->column(node.index);
  if (!(*variables_)[operand.variable].analysed) return std::nullopt;
  add_knowledge(node, operand);
  return operand;
}

Formula Translator::half_line(std::size_t variable, Op op, double number) const {
  const Domain& all = (*variables_)[variable].all;
  const auto between = [&](double low, double high) {
    Domain domain = Domain::numbers(std::max(low, all.low), std::min(high, all.high));
    return Formula::of(variable, domain);
  };
  switch (op) {
    case Op::less:
      return between(all.low, variables_->next(variable, number, false));
    case Op::less_equal:
      return between(all.low, variables_->at_most(variable, number));
    case Op::greater:
      return between(variables_->next(variable, number, true), all.high);
    case Op::greater_equal:
      return between(variables_->at_least(variable, number), all.high);
    case Op::equal:
      return between(variables_->at_least(variable, number), variables_->at_most(variable, number));
    default:
      break;
  }
  return group(Formula::Kind::any, {half_line(variable, Op::less, number), half_line(variable, Op::greater, number)});
}

std::optional<Formula> Translator::compare_texts(const Node& node, Want want) const {
  const Node& a = node.operands[0];
  const Node& b = node.operands[1];
  const bool equal = node.op == Op::equal;
  if (a.op == Op::text && b.op == Op::text) {
    const bool value = (a.texts == b.texts) == equal;
    return Formula::truth(value == (want == Want::yes || want == Want::not_no));
  }
  const auto same = [&](const Node& side, std::size_t variable, std::uint32_t text, bool is) {
    Domain domain = Domain::first_codes(0);
    for (std::size_t i = 0; i < side.texts.size(); ++i)
      if ((side.texts[i] == text) == is) domain.codes[i / 64] |= std::uint64_t{1} << (i % 64);
    return Formula::of(variable, domain);
  };
  if (a.op == Op::text || b.op == Op::text) {
    const Node& side = a.op == Op::text ? b : a;
    const std::uint32_t text = (a.op == Op::text ? a : b).texts[0];
    auto operand = operand_of(side);
    if (!operand) return std::nullopt;
    const std::size_t variable = operand->variable;
    return atom(std::move(*operand), same(side, variable, text, equal), same(side, variable, text, !equal), want);
  }
  auto left = operand_of(a);
  auto right = operand_of(b);
  if (!left || !right) return std::nullopt;
  std::vector<Formula> equals, differs;
  for (const std::uint32_t text : a.texts) {
    const Formula here = same(a, left->variable, text, true);
    equals.push_back(group(Formula::Kind::all, {here, same(b, right->variable, text, true)}));
    differs.push_back(group(Formula::Kind::all, {here, same(b, right->variable, text, false)}));
  }
  std::move(right->known.begin(), right->known.end(), std::back_inserter(left->known));
  std::move(right->unknown.begin(), right->unknown.end(), std::back_inserter(left->unknown));
  Formula same_text = group(Formula::Kind::any, equal ? equals : differs);
  Formula other_text = group(Formula::Kind::any, equal ? differs : equals);
  return atom(std::move(*left), std::move(same_text), std::move(other_text), want);
}

/// Years fall as the date grows: a threshold on the age is one on the date.
std::optional<Formula> Translator::compare_age(const Node& node, Want want) const {
  const bool left = node.operands[0].op == Op::age;
  const Node& age = node.operands[left ? 0 : 1];
  const auto number = constant_of(node.operands[left ? 1 : 0]);
  auto operand = operand_of(age.operands[0]);
  if (!number || !operand || !age.conversion.identity()) return std::nullopt;
  const std::size_t variable = operand->variable;
  const Domain all = (*variables_)[variable].all;
  const auto last_day_with = [&](double years) {  // the largest date with at least so many; before the first where there is none
    double low = all.low - 1, high = all.high;
    while (low < high) {
      const double middle = std::ceil((low + high) / 2);
      if (years_of(age, middle) >= years)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  };
  const auto aged = [&](Op op) -> Formula {
    const double from = op == Op::greater || op == Op::less_equal ? std::floor(*number) + 1 : std::ceil(*number);
    const Formula at_least = Formula::of(variable, Domain::numbers(all.low, last_day_with(from)));
    const Formula under = Formula::of(variable, Domain::numbers(last_day_with(from) + 1, all.high));
    if (op == Op::greater || op == Op::greater_equal) return at_least;
    if (op == Op::less || op == Op::less_equal) return under;
    const bool whole = std::floor(*number) == *number;
    const double first = whole ? last_day_with(*number + 1) + 1 : 0, last = whole ? last_day_with(*number) : -1;
    if (op == Op::equal) return Formula::of(variable, Domain::numbers(first, last));
    if (!whole) return Formula::of(variable, Domain::numbers(all.low, all.high));
    return group(Formula::Kind::any, {Formula::of(variable, Domain::numbers(all.low, first - 1)),
                                      Formula::of(variable, Domain::numbers(last + 1, all.high))});
  };
  const Op op = left ? node.op : condition::mirrored(node.op);
  return atom(std::move(*operand), aged(op), aged(negated(op)), want);
}

std::optional<Formula> Translator::compare(const Node& node, Want want) const {
  const Node& a = node.operands[0];
  const Node& b = node.operands[1];
  if (a.kind == Kind::text || b.kind == Kind::text) return compare_texts(node, want);
  if (a.op == Op::age || b.op == Op::age) return compare_age(node, want);
  const auto left = constant_of(a), right = constant_of(b);
  if (left.has_value() == right.has_value()) return std::nullopt;
  auto operand = operand_of(left ? b : a);
  if (!operand) return std::nullopt;
  const Op op = left ? condition::mirrored(node.op) : node.op;
  const double number = left ? *left : *right;
  const std::size_t variable = operand->variable;
  return atom(std::move(*operand), half_line(variable, op, number), half_line(variable, negated(op), number), want);
}

std::optional<Formula> Translator::in_set(const Node& node, Want want) const {
  auto operand = operand_of(node.operands[0]);
  if (!operand) return std::nullopt;
  const std::size_t variable = operand->variable;
  if (node.operands[0].kind == Kind::text) {
    Domain inside = Domain::first_codes(0), outside = inside;
    const auto& texts = node.operands[0].texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool found = std::any_of(node.operands.begin() + 1, node.operands.end(),
                                     [&](const Node& literal) { return literal.texts[0] == texts[i]; });
      (found ? inside : outside).codes[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return atom(std::move(*operand), Formula::of(variable, inside), Formula::of(variable, outside), want);
  }
  std::vector<Formula> any, none;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const auto number = constant_of(node.operands[i]);
    if (!number) return std::nullopt;
    any.push_back(half_line(variable, Op::equal, *number));
    none.push_back(half_line(variable, Op::not_equal, *number));
  }
  return atom(std::move(*operand), group(Formula::Kind::any, std::move(any)), group(Formula::Kind::all, std::move(none)), want);
}

std::optional<Formula> Translator::in_interval(const Node& node, Want want) const {
  auto operand = operand_of(node.operands[0]);
  const auto low = constant_of(node.operands[1]), high = constant_of(node.operands[2]);
  if (!operand || !low || !high) return std::nullopt;
  const std::size_t variable = operand->variable;
  const Op from = node.closed_low ? Op::greater_equal : Op::greater, to = node.closed_high ? Op::less_equal : Op::less;
  Formula inside = group(Formula::Kind::all, {half_line(variable, from, *low), half_line(variable, to, *high)});
  Formula outside =
      group(Formula::Kind::any, {half_line(variable, negated(from), *low), half_line(variable, negated(to), *high)});
  return atom(std::move(*operand), std::move(inside), std::move(outside), want);
}

std::optional<Formula> Translator::simple(const Node& node, Want want) const {
  if (node.op == Op::column || (node.op == Op::attribute && node.attribute == condition::Attribute::judged)) {
    Operand operand;
    add_knowledge(node, operand);
    const bool column = node.op == Op::column;
    const std::size_t variable = column ? variables_->column(node.index) : variables_->state(node.index);
    Domain yes = Domain::code(column ? 1 : 0), no = Domain::code(column ? 0 : 1);
    if (!column) no.codes[0] |= 4;
    return atom(std::move(operand), Formula::of(variable, yes), Formula::of(variable, no), want);
  }
  if (node.op == Op::known) {
    Operand operand;
    Node column = node;
    column.op = Op::column;
    add_knowledge(column, operand);
    return want == Want::yes || want == Want::not_no ? operand.known[0] : operand.unknown[0];
  }
  if (node.op == Op::in_set) return in_set(node, want);
  if (node.op == Op::in_interval) return in_interval(node, want);
  return is_comparison(node.op) ? compare(node, want) : std::nullopt;
}

Formula Translator::hard_atom(const Node& node, Want want) {
  Formula formula = group(Formula::Kind::hard, {});
  formula.hard = hard_.size();
  formula.want = want;
  std::vector<const Node*> leaves;
  const bool arithmetic = find_leaves(node, leaves);
  hard_.push_back({&node, arithmetic});
  if (!arithmetic) return formula;
  Operand operand;
  for (const Node* leaf : leaves) add_knowledge(*leaf, operand);
  return atom(std::move(operand), formula, formula, want);
}

Formula Translator::translate(const Node& node, Want want) {
  const bool positive = want == Want::yes || want == Want::not_no;
  switch (node.op) {
    case Op::negation:
      return translate(node.operands[0], opposite(want));
    case Op::boolean:
      return Formula::truth((node.number != 0) == positive);
    case Op::conjunction:
    case Op::disjunction: {
      std::vector<Formula> parts;
      for (const Node& operand : node.operands) parts.push_back(translate(operand, want));
      const bool all = (node.op == Op::conjunction) == positive;
      return group(all ? Formula::Kind::all : Formula::Kind::any, std::move(parts));
    }
    default:
      break;
  }
  if (auto formula = simple(node, want)) return std::move(*formula);
  return hard_atom(node, want);
}

}  // namespace hiple::audit
