#include "condition/binder.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hiple::condition {

namespace {

void round_like(Node& literal, const Node& other) {
  if (literal.op == Op::number && is_single_precision(other))
    literal.value = static_cast<double>(static_cast<float>(literal.value));
}

}  // namespace

bool is_number(const Node& node) { return node.kind == Kind::integer || node.kind == Kind::real; }

bool is_bare(const Node& node) {
  if (node.op == Op::number) return !node.unit;
  const bool computed =
      node.op == Op::minus || node.op == Op::add || node.op == Op::subtract || node.op == Op::multiply || node.op == Op::divide;
  return computed && std::all_of(node.operands.begin(), node.operands.end(), is_bare);
}

bool is_single_precision(const Node& node) {
  return node.op == Op::minimum || node.op == Op::maximum || (node.op == Op::attribute && node.kind == Kind::real);
}

void Binder::wrong(Node& node, const std::string& what, const std::string& why, const std::string& remedy) {
  wrong_at(node, node, what, why, remedy);
}

void Binder::wrong_at(Node& node, const Node& at, const std::string& what, const std::string& why, const std::string& remedy) {
  node.kind = Kind::wrong;
  if (!what.empty()) problems_.add(place_of_(at.begin), what, why, remedy);
}

/// False, and a problem, unless the node is of one of the kinds; false without a word where it is wrong already.
bool Binder::need(const Node& node, std::initializer_list<Kind> kinds, const std::string& where) {
  if (node.kind == Kind::wrong) return false;
  if (std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end()) return true;
  std::vector<std::string> names;
  for (const Kind kind : kinds) names.emplace_back(name_of(kind));
  const bool truth = *kinds.begin() == Kind::boolean;
  problems_.add(place_of_(node.begin), print(node) + " is " + std::string(name_of(node.kind)),
                where + " needs " + join(names, " or "), truth ? "compare it with something" : "");
  return false;
}

void Binder::bind(Node& node) {
  switch (node.op) {
    case Op::number:
      node.kind = node.whole ? Kind::integer : Kind::real;
      node.value = node.number;
      node.value_unit = node.unit;
      return;
    case Op::boolean:
      node.kind = Kind::boolean;
      return;
    case Op::text:
      node.kind = Kind::text;
      node.texts = {scope_.vocabulary->text(node.text)};
      return;
    case Op::column:
      return bind_column(node);
    case Op::known:
      return bind_known(node);
    case Op::attribute:
    case Op::finding:
      return bind_attribute(node);
    case Op::count:
    case Op::minimum:
    case Op::maximum:
    case Op::mean:
    case Op::agree:
      return bind_aggregate(node);
    default:
      break;
  }
  for (Node& operand : node.operands) bind(operand);
  node.kind = Kind::wrong;
  switch (node.op) {
    case Op::conjunction:
    case Op::disjunction:
    case Op::negation:
      return bind_logic(node);
    case Op::minus:
      return bind_minus(node);
    case Op::age:
      return bind_age(node);
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
      return bind_arithmetic(node);
    case Op::within:
      return bind_within(node);
    case Op::in_set:
      return bind_set(node);
    case Op::in_interval:
      return bind_interval(node);
    default:
      return bind_comparison(node);
  }
}

void Binder::bind_logic(Node& node) {
  bool good = true;
  const std::string word = node.op == Op::conjunction ? "`and`" : node.op == Op::disjunction ? "`or`" : "`not`";
  for (const Node& operand : node.operands) good &= need(operand, {Kind::boolean}, word);
  if (good) node.kind = Kind::boolean;
}

void Binder::bind_minus(Node& node) {
  const Node& operand = node.operands[0];
  if (!need(operand, {Kind::integer, Kind::real}, "`-`")) return;
  if (operand.value_unit && operand.value_unit->offset != 0)
    return wrong(node, "a value in [" + operand.value_unit->text + "] cannot be negated", "its zero is arbitrary");
  node.kind = operand.kind;
  node.value_unit = operand.value_unit;
}

void Binder::bind_age(Node& node) {
  if (!need(node.operands[0], {Kind::date}, "age()")) return;
  node.kind = Kind::integer;
  node.value = scope_.as_of;
  node.value_unit = parse_unit("a");
}

void Binder::bind_aggregate_comparison(Node& node) {
  Node& left = node.operands[0];
  Node& right = node.operands[1];
  if (left.kind != Kind::aggregate || right.op != Op::number)
    return wrong(node, "count, min, max and mean stand on the left, a constant on the right");
  if (right.unit) return wrong_at(node, right, print(left) + " has no unit");
  const bool equality = node.op == Op::equal || node.op == Op::not_equal;
  if (equality && !right.whole)
    return wrong(node, "real numbers cannot be compared with == and !=", "rounding decides whether they are equal");
  round_like(right, left);
  node.kind = Kind::boolean;
}

void Binder::bind_comparison(Node& node) {
  Node& left = node.operands[0];
  Node& right = node.operands[1];
  if (left.kind == Kind::wrong || right.kind == Kind::wrong) return;
  if (left.kind == Kind::aggregate || right.kind == Kind::aggregate) return bind_aggregate_comparison(node);
  if (left.kind == Kind::boolean || right.kind == Kind::boolean)
    return wrong(node, "a condition cannot be compared", {}, "write `x` or `not x`");
  const bool equality = node.op == Op::equal || node.op == Op::not_equal;
  if (left.kind == Kind::date || right.kind == Kind::date) {
    if (compare_dates(left, right)) node.kind = Kind::boolean;
    return;
  }
  if (left.kind == Kind::text && right.kind == Kind::text) {
    if (!equality) return wrong(node, "texts have no order", {}, "use == or !=");
    if (compare_texts(left, right)) node.kind = Kind::boolean;
    return;
  }
  if (left.kind == Kind::text || right.kind == Kind::text)
    return wrong(node, "cannot compare " + std::string(name_of(left.kind)) + " with " + std::string(name_of(right.kind)));
  if (equality && (left.kind == Kind::real || right.kind == Kind::real))
    return wrong(node, "real numbers cannot be compared with == and !=", "rounding decides whether they are equal",
                 "use within(x, y, tolerance)");
  if (!same_unit(left, right)) return;
  round_like(left, right);
  round_like(right, left);
  node.kind = Kind::boolean;
}

void Binder::bind_within(Node& node) {
  Node& x = node.operands[0];
  Node& y = node.operands[1];
  Node& tolerance = node.operands[2];
  bool good = true;
  for (const Node& operand : node.operands) good &= need(operand, {Kind::integer, Kind::real}, "within()");
  if (!good || !same_unit(x, y)) return;
  if (!give_unit(tolerance, unit_of_difference(x.value_unit ? x.value_unit : y.value_unit), x)) return;
  round_like(x, y);
  round_like(y, x);
  node.kind = Kind::boolean;
}

void Binder::bind_set(Node& node) {
  Node& x = node.operands[0];
  if (!need(x, {Kind::integer, Kind::text, Kind::date, Kind::real}, "`in` a set")) return;
  if (x.kind == Kind::real)
    return wrong(node, "a real number cannot be looked up in a set", "rounding decides whether numbers are equal",
                 "use an interval, or within(x, y, tolerance)");
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    Node& literal = node.operands[i];
    if (x.kind == Kind::date) {
      if (!read_date(literal)) return;
      continue;
    }
    if (!need(literal, {x.kind}, "this set")) return;
    if (x.kind == Kind::text && !compare_texts(x, literal)) return;
    if (x.kind == Kind::integer && !give_unit(literal, x.value_unit, x)) return;
  }
  node.kind = Kind::boolean;
}

void Binder::bind_interval(Node& node) {
  Node& x = node.operands[0];
  if (!need(x, {Kind::integer, Kind::real, Kind::date}, "`in` an interval")) return;
  for (std::size_t i = 1; i < 3; ++i) {
    Node& end = node.operands[i];
    if (end.kind == Kind::wrong) return;
    if (x.kind == Kind::date) {
      if (!compare_dates(x, end)) return;
      continue;
    }
    if (!need(end, {Kind::integer, Kind::real}, "this interval") || !give_unit(end, x.value_unit, x)) return;
    round_like(end, x);
  }
  const Node& low = node.operands[1];
  const Node& high = node.operands[2];
  const auto is_literal = [](const Node& end) { return end.op == Op::number || end.op == Op::text; };
  const bool upside_down = low.value > high.value || (low.value == high.value && !(node.closed_low && node.closed_high));
  if (is_literal(low) && is_literal(high) && upside_down)
    return wrong_at(node, low, "nothing lies in this interval", print(low) + " is not below " + print(high), "exchange its ends");
  node.kind = Kind::boolean;
}

void bind(Node& root, const Scope& scope, const PlaceOf& place_of, Problems& problems) {
  Binder(scope, place_of, problems).bind(root);
}

}  // namespace hiple::condition
