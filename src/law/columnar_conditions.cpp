#include "law/columnar_conditions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "condition/compare.hpp"

namespace hiple::law::columnar {

using condition::Kind;
using condition::Node;
using condition::Op;

namespace {

std::uint32_t number(std::size_t index) { return static_cast<std::uint32_t>(index); }

}  // namespace

Proposition Conditions::read(const Node& node, bool careful) {
  switch (node.op) {
    case Op::conjunction:
    case Op::disjunction:
      return read_chain(node, careful);
    case Op::negation:
      return Logic::negate(read(node.operands[0], careful));
    case Op::boolean:
      return Logic::constant(node.number != 0);
    case Op::known: {
      const Known known = column_known(node.index);
      if (careful) return {known.known, nowhere, known.causes};
      return {known.known, circuit_.complement(known.known), {}};
    }
    case Op::agree:
      return read_agree(node);
    case Op::column: {
      const Known known = column_known(node.index);
      const std::uint32_t column = circuit_.vector({.kind = Vector::Kind::column, .a = number(node.index)});
      return logic_.proposition(known, number_compare(column, Op::not_equal, 0));
    }
    case Op::attribute: {  // .judged: the only one that is a truth
      const auto& [judged, abstained, invalid] =
          std::tuple(JudgmentStatus::judged, JudgmentStatus::abstained, JudgmentStatus::invalid);
      return logic_.proposition(engine_known(node.index, {judged, abstained, invalid}), status(node.index, {judged}));
    }
    default:
      return read_atom(node, careful);
  }
}

Proposition Conditions::read_chain(const Node& node, bool careful) {
  std::vector<Proposition> parts;
  parts.reserve(node.operands.size());
  for (const Node& operand : node.operands) parts.push_back(read(operand, careful));
  return node.op == Op::conjunction ? logic_.all(parts) : logic_.any(parts);
}

/// An atom with any unknown operand is UNKNOWN.
Proposition Conditions::read_atom(const Node& node, bool careful) {
  const Node& first = node.operands[0];
  if (first.kind == Kind::aggregate) return read_aggregate(node, careful);
  if (first.kind == Kind::text) return read_texts(node, careful);
  const Value a = value(first, careful);
  if (node.op == Op::in_set) {
    Plane yes = nowhere;
    for (std::size_t i = 1; i < node.operands.size(); ++i)
      yes = circuit_.either(yes, compare(Op::equal, a, value(node.operands[i], careful)));
    return logic_.proposition(a.known, yes);
  }
  const Value b = value(node.operands[1], careful);
  Known known = logic_.together(a.known, b.known);
  if (node.operands.size() == 2) return logic_.proposition(known, compare(node.op, a, b));
  const Value c = value(node.operands[2], careful);
  known = logic_.together(known, c.known);
  if (node.op == Op::within) {
    Value difference;
    difference.vector = circuit_.vector({.kind = Vector::Kind::subtract, .a = a.vector, .b = b.vector});
    if (a.constant && b.constant) difference = constant(*a.constant - *b.constant);
    return logic_.proposition(known, compare(Op::less_equal, unary(Vector::Kind::absolute, difference), c));
  }
  const Plane above = compare(node.closed_low ? Op::less_equal : Op::less, b, a);
  const Plane below = compare(node.closed_high ? Op::less_equal : Op::less, a, c);
  return logic_.proposition(known, circuit_.both(above, below));
}

Proposition Conditions::read_texts(const Node& node, bool careful) {
  const Value a = value(node.operands[0], careful);
  Known known = a.known;
  Plane equal = nowhere;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const Value b = value(node.operands[i], careful);
    if (node.op != Op::in_set) known = logic_.together(known, b.known);
    for (const auto& [text, plane] : b.texts)
      if (const auto found = a.texts.find(text); found != a.texts.end())
        equal = circuit_.either(equal, circuit_.both(found->second, plane));
  }
  const Proposition result = logic_.proposition(known, equal);
  return node.op == Op::not_equal ? Logic::negate(result) : result;
}

Conditions::Value Conditions::constant(double number) {
  Value value;
  value.constant = number;
  value.vector = circuit_.vector({.kind = Vector::Kind::constant, .number = number});
  return value;
}

Conditions::Value Conditions::value(const Node& node, bool careful) { return convert(raw_value(node, careful), node.conversion); }

Conditions::Value Conditions::convert(Value value, const condition::Conversion& conversion) {
  if (conversion.identity() || !value.texts.empty()) return value;
  if (value.constant) return constant(*value.constant * conversion.scale + conversion.offset);
  value.vector = circuit_.vector(
      {.kind = Vector::Kind::convert, .a = value.vector, .number = conversion.scale, .offset = conversion.offset});
  return value;
}

Conditions::Value Conditions::unary(Vector::Kind kind, const Value& a, double number) {
  if (a.constant && kind == Vector::Kind::minus) return constant(-*a.constant);
  if (a.constant && kind == Vector::Kind::absolute) return constant(std::abs(*a.constant));
  Value result;
  result.known = a.known;
  result.vector = circuit_.vector({.kind = kind, .a = a.vector, .number = number});
  return result;
}

Conditions::Value Conditions::raw_value(const Node& node, bool careful) {
  switch (node.op) {
    case Op::number:
      return constant(node.value);
    case Op::text: {
      if (node.kind == Kind::date) return constant(node.value);
      Value value;
      value.texts = {{node.texts[0], everywhere}};
      return value;
    }
    case Op::column: {
      const std::uint32_t column = circuit_.vector({.kind = Vector::Kind::column, .a = number(node.index)});
      if (node.kind == Kind::text) return text_of(node.texts, column, column_known(node.index));
      Value value;
      value.vector = column;
      value.known = column_known(node.index);
      return value;
    }
    case Op::attribute:
      return attribute(node);
    case Op::finding:
      return finding(node, careful);
    case Op::minus:
      return unary(Vector::Kind::minus, value(node.operands[0], careful));
    case Op::age:
      return unary(Vector::Kind::age, value(node.operands[0], careful), node.value);
    default:
      return arithmetic(node, careful);
  }
}

Conditions::Value Conditions::arithmetic(const Node& node, bool careful) {
  const Value a = value(node.operands[0], careful), b = value(node.operands[1], careful);
  Value result;
  result.known = logic_.together(a.known, b.known);
  const Vector::Kind kind = node.op == Op::add        ? Vector::Kind::add
                            : node.op == Op::subtract ? Vector::Kind::subtract
                            : node.op == Op::multiply ? Vector::Kind::multiply
                                                      : Vector::Kind::divide;
  if (node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply && node.op != Op::divide)
    throw Error("a condition with an operation that has no planes: " + condition::print(node));
  if (kind == Vector::Kind::divide) {
    const Plane divisible = compare(Op::not_equal, b, constant(0));
    logic_.add(result.known.causes, other_cause, circuit_.without(result.known.known, divisible));
    result.known.known = circuit_.both(result.known.known, divisible);
  }
  result.vector = circuit_.vector({.kind = kind, .a = a.vector, .b = b.vector});
  return result;
}

/// One plane for each text; a text that two codes share has both.
Conditions::Value Conditions::text_of(std::span<const std::uint32_t> texts, std::uint32_t vector, Known known) {
  Value value;
  value.vector = vector;
  for (std::size_t code = 0; code < texts.size(); ++code) {
    Plane& plane = value.texts.try_emplace(texts[code], nowhere).first->second;
    plane = circuit_.either(plane, number_compare(vector, Op::equal, static_cast<double>(code)));
  }
  value.known = std::move(known);
  return value;
}

Conditions::Value Conditions::attribute(const Node& node) {
  using condition::Attribute;
  const std::uint32_t engine = number(node.index);
  const auto vector = [&](Vector::Kind kind, std::uint32_t which = 0) {
    return circuit_.vector({.kind = kind, .a = engine, .b = which});
  };
  Value value;
  value.known = node.attribute == Attribute::typicality
                    ? engine_known(engine, {JudgmentStatus::judged, JudgmentStatus::abstained})
                    : engine_known(engine, {JudgmentStatus::judged});
  switch (node.attribute) {
    case Attribute::label:
      return text_of(node.texts, vector(Vector::Kind::label), value.known);
    case Attribute::confidence:
      value.vector = vector(Vector::Kind::confidence);
      return value;
    case Attribute::typicality:
      value.vector = vector(Vector::Kind::typicality);
      return value;
    case Attribute::value:
      value.vector = vector(Vector::Kind::value);
      return value;
    case Attribute::probability:
      value.vector = vector(Vector::Kind::probability, static_cast<std::uint32_t>(node.value));
      return value;
    case Attribute::judged:
      break;
  }
  throw Error("an attribute that has no value: " + condition::print(node));
}

/// Undecided, or read carefully not firm: with the causes of the answer, and one of its own.
Conditions::Value Conditions::finding(const Node& node, bool careful) {
  const SlotAnswer& answer = slots_[node.index];
  Value value;
  for (std::size_t i = 0; i < answer.decided.size(); ++i) {
    Plane& plane = value.texts.try_emplace(node.texts[i], nowhere).first->second;
    plane = circuit_.either(plane, answer.decided[i]);
  }
  value.known.known = careful ? answer.firm : logic_.any_plane(answer.decided);
  const Plane unknown = circuit_.complement(value.known.known);
  logic_.add(value.known.causes, answer.causes, unknown);
  logic_.add(value.known.causes, other_cause, unknown);
  return value;
}

Conditions::Heeded Conditions::heeded(std::size_t question) {
  const std::size_t column = law_.heeded[question].column;
  const std::uint32_t vector = circuit_.vector({.kind = Vector::Kind::column, .a = number(column)});
  const Plane known = circuit_.leaf({.kind = Leaf::Kind::known, .a = number(column), .b = vector});
  Heeded heeded;
  for (std::size_t i = 0; i < law_.questions[question].findings.size(); ++i)
    heeded.says.push_back(circuit_.both(known, number_compare(vector, Op::equal, static_cast<double>(i))));
  heeded.differs = circuit_.leaf({.kind = Leaf::Kind::invalid, .a = number(column)});
  return heeded;
}

Known Conditions::column_known(std::size_t column) {
  const std::uint32_t vector = circuit_.vector({.kind = Vector::Kind::column, .a = number(column)});
  Known known{circuit_.leaf({.kind = Leaf::Kind::known, .a = number(column), .b = vector}), {}};
  logic_.add(known.causes, other_cause, circuit_.complement(known.known));
  return known;
}

Plane Conditions::status(std::size_t engine, std::initializer_list<JudgmentStatus> statuses) {
  Plane plane = nowhere;
  for (const JudgmentStatus status : statuses)
    plane = circuit_.either(
        plane, circuit_.leaf({.kind = Leaf::Kind::status, .a = number(engine), .b = static_cast<std::uint32_t>(status)}));
  return plane;
}

/// What an engine says with one of these statuses, while it is consulted.
Known Conditions::engine_known(std::size_t engine, std::initializer_list<JudgmentStatus> statuses) {
  const Plane heard = status(engine, statuses);
  const Plane active = logic_.tracks() ? circuit_.active(number(engine)) : everywhere;
  Known known{circuit_.both(active, heard), {}};
  logic_.add(known.causes, number(engine), circuit_.complement(active));
  logic_.add(known.causes, other_cause, circuit_.without(active, heard));
  return known;
}

Plane Conditions::compare(Op op, const Value& a, const Value& b) {
  if (a.constant && b.constant) return condition::compare(op, *a.constant, *b.constant) ? everywhere : nowhere;
  if (a.constant) return compare(condition::mirrored(op), b, a);
  if (b.constant) return number_compare(a.vector, op, *b.constant);
  return circuit_.leaf({.kind = Leaf::Kind::compare, .op = op, .a = a.vector, .b = b.vector});
}

Plane Conditions::number_compare(std::uint32_t vector, Op op, double constant) {
  const std::uint32_t other = circuit_.vector({.kind = Vector::Kind::constant, .number = constant});
  return circuit_.leaf({.kind = Leaf::Kind::compare, .op = op, .a = vector, .b = other});
}

}  // namespace hiple::law::columnar
