#include "condition/condition.hpp"

namespace hiple::condition {

namespace {

template <class Visit>
void walk(const Node& node, const Visit& visit) {
  visit(node);
  for (const Node& operand : node.operands)
    if (node.op != Op::count) walk(operand, visit);  // what is counted is walked for each member
  for (const auto& group : node.groups)
    for (const Node& member : group) walk(member, visit);
}

PlaceOf on_one_line(const Place& place) {
  return [place](std::size_t offset) {
    Place moved = place;
    if (moved.column > 0) moved.column += offset;
    return moved;
  };
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::wrong:
      return "wrong";
    case Kind::boolean:
      return "a condition";
    case Kind::integer:
      return "a whole number";
    case Kind::real:
      return "a real number";
    case Kind::text:
      return "a text";
    case Kind::date:
      return "a date";
    case Kind::aggregate:
      return "an aggregate";
  }
  return {};
}

struct Condition::State {
  Node root;
  std::string canonical;
};

Condition::Condition() {
  static const std::shared_ptr<const State> always = [] {
    auto state = std::make_shared<State>();
    state->root.number = 1;
    state->root.kind = Kind::boolean;
    state->canonical = print(state->root);
    return state;
  }();
  state_ = always;
}

Condition::Condition(std::string_view text, const Scope& scope, const PlaceOf& place_of) {
  auto state = std::make_shared<State>();
  state->root = parse_syntax(text, place_of);
  state->canonical = print(state->root);
  Problems problems;
  bind(state->root, scope, place_of, problems);
  const Kind kind = state->root.kind;
  if (kind != Kind::boolean && kind != Kind::wrong)
    problems.add(place_of(state->root.begin), state->canonical + " is " + std::string(name_of(kind)),
                 "a condition is true or false", "compare it with something");
  problems.throw_if_any();
  state_ = std::move(state);
}

Condition::Condition(std::string_view text, const Scope& scope, const Place& place)
    : Condition(text, scope, on_one_line(place)) {}

Condition Condition::of(Node bound) {
  auto state = std::make_shared<State>();
  state->root = std::move(bound);
  state->canonical = print(state->root);
  Condition result;
  result.state_ = std::move(state);
  return result;
}

Truth Condition::evaluate(const View& view, CauseSet& causes) const { return condition::evaluate(state_->root, view, causes); }

const std::string& Condition::canonical() const { return state_->canonical; }
const Node& Condition::root() const { return state_->root; }

std::set<std::string> Condition::columns() const {
  std::set<std::string> names;
  walk(state_->root, [&](const Node& node) {
    if (node.op == Op::column || node.op == Op::known) names.insert(node.name);
  });
  return names;
}

std::set<std::string> Condition::engines() const {
  std::set<std::string> names;
  walk(state_->root, [&](const Node& node) {
    if (node.op == Op::attribute) names.insert(node.name);
  });
  return names;
}

std::set<std::string> Condition::probabilities() const {
  std::set<std::string> names;
  walk(state_->root, [&](const Node& node) {
    if (node.op == Op::attribute && node.attribute == Attribute::probability) names.insert(node.name);
  });
  return names;
}

}  // namespace hiple::condition
