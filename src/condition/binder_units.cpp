#include <array>
#include <charconv>

#include "condition/binder.hpp"

namespace hiple::condition {

namespace {

/// A converted literal is meant as a decimal: 15 digits remove what the conversion's rounding added.
double to_decimal(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 15);
  double result = value;
  std::from_chars(text.data(), written.ptr, result);
  return result;
}

double convert(double value, const Conversion& conversion) {
  return conversion.identity() ? value : to_decimal(value * conversion.scale + conversion.offset);
}

std::string unit_text(const std::optional<Unit>& unit) { return unit ? "[" + unit->text + "]" : "no unit that is known here"; }

}  // namespace

std::optional<Unit> unit_of_difference(std::optional<Unit> unit) {
  if (unit && unit->offset != 0) {
    unit->offset = 0;
    unit->text = unit->scale == 1 ? "K" : "K.5/9";
  }
  return unit;
}

void Binder::bind_arithmetic(Node& node) {
  Node& left = node.operands[0];
  Node& right = node.operands[1];
  const std::string where = "arithmetic";
  const bool good_left = need(left, {Kind::integer, Kind::real}, where);
  if (!need(right, {Kind::integer, Kind::real}, where) || !good_left) return;
  if (node.op == Op::add || node.op == Op::subtract) {
    const bool shift = is_bare(left) || is_bare(right);
    if (!same_unit(left, right)) return;
    node.value_unit = left.value_unit ? left.value_unit : right.value_unit;
    if (node.op == Op::subtract && !shift) node.value_unit = unit_of_difference(node.value_unit);
    if (node.op == Op::add && !shift && node.value_unit && node.value_unit->offset != 0)
      return wrong(node, "values in [" + node.value_unit->text + "] cannot be added", "their zero is arbitrary");
  } else {
    const bool divided = node.op == Op::divide;
    const Unit one = parse_unit("1").value_or(Unit{});
    const Unit a = left.value_unit.value_or(one), b = right.value_unit.value_or(one);
    const auto unit = divided ? quotient(a, b) : product(a, b);
    if (!unit)
      return wrong(node, "a value in [" + (a.offset != 0 ? a.text : b.text) + "] cannot be multiplied or divided",
                   "its zero is arbitrary, or the exponent grows too large");
    if (!right.value_unit)
      node.value_unit = left.value_unit;
    else if (!left.value_unit && !divided)
      node.value_unit = right.value_unit;
    else
      node.value_unit = unit;
  }
  node.kind = Kind::real;
}

/// Brings `node` to a unit: a bare number has it anyway, a literal and a column are converted.
bool Binder::give_unit(Node& node, const std::optional<Unit>& unit, const Node& other) {
  if (is_bare(node) || (!unit && !node.value_unit)) return true;
  if (!unit || !node.value_unit || !node.value_unit->same_dimension(*unit)) {
    wrong(node, print(node) + " has " + unit_text(node.value_unit) + ", " + print(other) + " has " + unit_text(unit),
          "one cannot be converted to the other");
    return false;
  }
  const Conversion how = conversion(*node.value_unit, *unit);
  if (node.op == Op::number)
    node.value = convert(node.number, how);
  else
    node.conversion = how;
  node.value_unit = unit;
  return true;
}

/// Brings two numbers to one unit: a literal's to that of the other, else the right one's to the left one's.
bool Binder::same_unit(Node& left, Node& right) {
  if (is_bare(left) || is_bare(right)) return true;
  return left.op == Op::number ? give_unit(left, right.value_unit, right) : give_unit(right, left.value_unit, left);
}

}  // namespace hiple::condition
