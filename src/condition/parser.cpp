#include "condition/parser.hpp"

#include <array>

namespace hiple::condition {

namespace {

constexpr std::array<std::pair<std::string_view, Op>, 6> comparisons = {{{"==", Op::equal},
                                                                         {"!=", Op::not_equal},
                                                                         {"<", Op::less},
                                                                         {"<=", Op::less_equal},
                                                                         {">", Op::greater},
                                                                         {">=", Op::greater_equal}}};

}  // namespace

Node Parser::run() {
  if (now().kind == Token::Kind::end) fail("the condition is empty", {}, "`true` always holds");
  Node node = disjunction();
  if (now().kind != Token::Kind::end) fail("there is something after the end of the condition", "it ends before " + shown());
  return node;
}

Node Parser::disjunction() {
  const Level level(*this);
  return chain(Op::disjunction, "or", &Parser::conjunction);
}

Node Parser::conjunction() { return chain(Op::conjunction, "and", &Parser::negation); }

/// Operands of one kind in a row are one node, however they were bracketed: their order and grouping mean nothing.
Node Parser::chain(Op op, std::string_view word, Node (Parser::*operand)()) {
  const std::size_t begin = now().begin;
  Node first = (this->*operand)();
  if (!is_word(word)) return first;
  Node node;
  node.op = op;
  node.begin = begin;
  append(node, std::move(first));
  while (take_word(word)) append(node, (this->*operand)());
  return close(std::move(node));
}

void Parser::append(Node& node, Node operand) {
  if (operand.op != node.op) {
    node.operands.push_back(std::move(operand));
    return;
  }
  for (Node& inner : operand.operands) node.operands.push_back(std::move(inner));
}

Node Parser::negation() {
  if (!is_word("not")) return comparison();
  const Level level(*this);
  Node node = open(Op::negation);
  ++at_;
  node.operands.push_back(negation());
  return close(std::move(node));
}

Node Parser::comparison() {
  Node left = sum();
  if (take_word("in")) return membership(std::move(left));
  if (is_word("not")) fail("`not` cannot stand here", {}, "write not (x in ...)");
  for (const auto& [symbol, op] : comparisons) {
    if (!take_symbol(symbol)) continue;
    Node node = around(op, std::move(left));
    node.operands.push_back(sum());
    for (const auto& [next, unused] : comparisons)
      if (is_symbol(next)) fail("comparisons cannot be chained", {}, "write a < b and b < c, or x in [a, b)");
    return close(std::move(node));
  }
  return left;
}

Node Parser::membership(Node left) {
  if (take_symbol("{")) {
    Node node = around(Op::in_set, std::move(left));
    do {
      node.operands.push_back(literal());
    } while (take_symbol(","));
    need_symbol("}");
    return close(std::move(node));
  }
  if (!is_symbol("[") && !is_symbol("(")) fail("a set or an interval is missing after `in`", {}, "x in {1, 2}, or x in [1, 2)");
  Node node = around(Op::in_interval, std::move(left));
  node.closed_low = take_symbol("[");
  if (!node.closed_low) ++at_;
  node.operands.push_back(sum());
  need_symbol(",");
  node.operands.push_back(sum());
  node.closed_high = take_symbol("]");
  if (!node.closed_high) need_symbol(")");
  return close(std::move(node));
}

Node Parser::literal() {
  Node node = unary();
  if (node.op != Op::number && node.op != Op::text && node.op != Op::boolean) {
    throw InputError(place_of_(node.begin), "a set holds literals only");
  }
  return node;
}

Node Parser::sum() {
  Node left = term();
  while (is_symbol("+") || is_symbol("-")) {
    Node node = around(is_symbol("+") ? Op::add : Op::subtract, std::move(left));
    ++at_;
    node.operands.push_back(term());
    left = close(std::move(node));
  }
  return left;
}

Node Parser::term() {
  Node left = unary();
  while (is_symbol("*") || is_symbol("/")) {
    Node node = around(is_symbol("*") ? Op::multiply : Op::divide, std::move(left));
    ++at_;
    node.operands.push_back(unary());
    left = close(std::move(node));
  }
  return left;
}

Node Parser::unary() {
  if (!is_symbol("-")) return primary();
  const Level level(*this);
  Node node = open(Op::minus);
  ++at_;
  Node operand = unary();
  if (operand.op == Op::number) {
    operand.number = -operand.number;
    operand.begin = node.begin;
    return operand;
  }
  node.operands.push_back(std::move(operand));
  return close(std::move(node));
}

Node parse_syntax(std::string_view text, const PlaceOf& place_of) { return Parser(text, place_of).run(); }

}  // namespace hiple::condition
