#include <cmath>
#include <optional>
#include <stdexcept>

#include "base/date.hpp"
#include "condition/aggregate.hpp"
#include "condition/compare.hpp"
#include "condition/condition.hpp"

namespace hiple::condition {

namespace {

using Value = std::optional<double>;

/// An engine's block of causes is in the order of CauseTable::engine().
std::uint32_t cause_of(Voice::State state) {
  switch (state) {
    case Voice::State::inactive:
      return 0;
    case Voice::State::unavailable:
      return 1;
    case Voice::State::abstained:
      return 2;
    default:
      return 3;
  }
}

/// AND, with `stop` = FALSE; OR is the same with TRUE. A deciding operand makes the others' causes irrelevant.
Truth evaluate_chain(const Node& node, Truth stop, const View& view, CauseSet& causes) {
  CauseSet found;
  bool unknown = false;
  for (const Node& operand : node.operands) {
    const Truth truth = evaluate(operand, view, found);
    if (truth == stop) return stop;
    unknown |= truth == Truth::unknown;
  }
  if (!unknown) return negate(stop);
  causes.add(found);
  return Truth::unknown;
}

Value read_column(const Node& node, const View& view, CauseSet& causes) {
  const Field field = view.column(node.index);
  if (field.state == Field::State::known) return field.number;
  causes.add(node.cause + (field.state == Field::State::missing ? 0 : 1));
  return std::nullopt;
}

Truth evaluate_known(const Node& node, const View& view, CauseSet& causes) {
  CauseSet found;
  if (read_column(node, view, found)) return Truth::yes;
  if (!view.careful()) return Truth::no;
  causes.add(found);
  return Truth::unknown;
}

Value read_judged_attribute(const Node& node, const Voice& voice) {
  if (node.attribute == Attribute::label) return node.texts[voice.label];
  if (node.attribute == Attribute::confidence) return voice.confidence;
  if (node.attribute == Attribute::value) return voice.value;
  if (voice.probability.empty()) throw std::logic_error(node.name + ".probability is read, but was left out");
  return voice.probability[static_cast<std::size_t>(node.value)];
}

/// An inactive or unavailable engine says nothing; one that abstained or met an invalid input says only so, and an abstained
/// one how typical the case is.
Value read_attribute(const Node& node, const View& view, CauseSet& causes) {
  const Voice voice = view.engine(node.index);
  const bool heard = voice.state != Voice::State::inactive && voice.state != Voice::State::unavailable;
  if (heard && node.attribute == Attribute::judged) return voice.state == Voice::State::judged ? 1 : 0;
  if (heard && node.attribute == Attribute::typicality && voice.state != Voice::State::invalid) return voice.typicality;
  if (voice.state == Voice::State::judged) return read_judged_attribute(node, voice);
  causes.add(node.cause + cause_of(voice.state));
  return std::nullopt;
}

Value read_finding(const Node& node, const View& view, CauseSet& causes) {
  const PanelFinding finding = view.finding(node.index);
  if (finding.decided && (finding.firm || !view.careful())) return node.texts[finding.finding];
  causes.add(node.cause + (finding.decided ? 1 : 0));
  if (finding.causes != nullptr) causes.add(*finding.causes);
  return std::nullopt;
}

Value evaluate_arithmetic(const Node& node, const View& view, CauseSet& causes) {
  const Value a = value_of(node.operands[0], view, causes);
  const Value b = value_of(node.operands[1], view, causes);
  if (!a || !b) return std::nullopt;
  switch (node.op) {
    case Op::add:
      return *a + *b;
    case Op::subtract:
      return *a - *b;
    case Op::multiply:
      return *a * *b;
    default:
      break;
  }
  if (*b != 0) return *a / *b;
  causes.add(CauseTable::division);
  return std::nullopt;
}

Value raw_value(const Node& node, const View& view, CauseSet& causes) {
  switch (node.op) {
    case Op::number:
      return node.value;
    case Op::text:
      return node.kind == Kind::date ? node.value : node.texts[0];
    case Op::column: {
      const Value value = read_column(node, view, causes);
      return value && node.kind == Kind::text ? Value(node.texts[static_cast<std::size_t>(*value)]) : value;
    }
    case Op::attribute:
      return read_attribute(node, view, causes);
    case Op::finding:
      return read_finding(node, view, causes);
    case Op::minus: {
      const Value value = value_of(node.operands[0], view, causes);
      return value ? Value(-*value) : value;
    }
    case Op::age: {
      const Value date = value_of(node.operands[0], view, causes);
      if (!date) return date;
      return completed_years(static_cast<std::int32_t>(*date), static_cast<std::int32_t>(node.value));
    }
    default:
      return evaluate_arithmetic(node, view, causes);
  }
}

bool is_in_interval(const Node& node, double x, double low, double high) {
  return (node.closed_low ? low <= x : low < x) && (node.closed_high ? x <= high : x < high);
}

/// An atom with any unknown operand is UNKNOWN, 0 * x < 1 too.
Truth evaluate_atom(const Node& node, const View& view, CauseSet& causes) {
  if (node.operands[0].kind == Kind::aggregate) return compare_aggregate(node, view, causes);
  const Value a = value_of(node.operands[0], view, causes);
  if (node.op == Op::in_set) {
    if (!a) return Truth::unknown;
    for (std::size_t i = 1; i < node.operands.size(); ++i)
      if (value_of(node.operands[i], view, causes) == a) return Truth::yes;
    return Truth::no;
  }
  const Value b = value_of(node.operands[1], view, causes);
  if (node.operands.size() == 2) return a && b ? truth_of(compare(node.op, *a, *b)) : Truth::unknown;
  const Value c = value_of(node.operands[2], view, causes);
  if (!a || !b || !c) return Truth::unknown;
  return truth_of(node.op == Op::within ? std::abs(*a - *b) <= *c : is_in_interval(node, *a, *b, *c));
}

}  // namespace

Voice View::engine(std::size_t) const { throw std::logic_error("this view has no engines"); }
PanelFinding View::finding(std::size_t) const { throw std::logic_error("this view has no panels"); }

Value value_of(const Node& node, const View& view, CauseSet& causes) {
  const Value value = raw_value(node, view, causes);
  if (!value || node.conversion.identity()) return value;
  return *value * node.conversion.scale + node.conversion.offset;
}

Truth evaluate(const Node& node, const View& view, CauseSet& causes) {
  switch (node.op) {
    case Op::conjunction:
      return evaluate_chain(node, Truth::no, view, causes);
    case Op::disjunction:
      return evaluate_chain(node, Truth::yes, view, causes);
    case Op::negation:
      return negate(evaluate(node.operands[0], view, causes));
    case Op::boolean:
      return truth_of(node.number != 0);
    case Op::known:
      return evaluate_known(node, view, causes);
    case Op::agree:
      return evaluate_agree(node, view, causes);
    case Op::column:
    case Op::attribute: {
      const Value value = raw_value(node, view, causes);
      return value ? truth_of(*value != 0) : Truth::unknown;
    }
    default:
      return evaluate_atom(node, view, causes);
  }
}

}  // namespace hiple::condition
