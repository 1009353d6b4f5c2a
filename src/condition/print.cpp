#include "base/text.hpp"
#include "condition/lexer.hpp"
#include "condition/syntax.hpp"

namespace hiple::condition {

namespace {

/// How tightly an operator binds: as the parser's levels.
enum Strength : int { any = 1, of_and = 2, of_not = 3, of_comparison = 4, of_sum = 5, of_term = 6, of_unary = 7, of_value = 8 };

Strength strength_of(const Node& node) {
  switch (node.op) {
    case Op::disjunction:
      return any;
    case Op::conjunction:
      return of_and;
    case Op::negation:
      return of_not;
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::in_set:
    case Op::in_interval:
      return of_comparison;
    case Op::add:
    case Op::subtract:
      return of_sum;
    case Op::multiply:
    case Op::divide:
      return of_term;
    case Op::minus:
      return of_unary;
    default:
      return of_value;
  }
}

std::string_view symbol_of(Op op) {
  switch (op) {
    case Op::equal:
      return " == ";
    case Op::not_equal:
      return " != ";
    case Op::less:
      return " < ";
    case Op::less_equal:
      return " <= ";
    case Op::greater:
      return " > ";
    case Op::greater_equal:
      return " >= ";
    case Op::add:
      return " + ";
    case Op::subtract:
      return " - ";
    case Op::multiply:
      return " * ";
    case Op::divide:
      return " / ";
    case Op::conjunction:
      return " and ";
    case Op::disjunction:
      return " or ";
    case Op::minimum:
      return "min";
    case Op::maximum:
      return "max";
    default:
      return "mean";
  }
}

std::string operand(const Node& node, Strength at_least) {
  return strength_of(node) < at_least ? "(" + print(node) + ")" : print(node);
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string column_name(const std::string& name) { return is_plain_name(name) ? name : "`" + name + "`"; }

std::string column(const Node& node) { return node.member.empty() ? column_name(node.name) : evidence_name(node.member); }

std::string number(const Node& node) {
  std::string text = format_real(node.number);
  if (node.whole)
    text = std::to_string(static_cast<std::int64_t>(node.number));
  else if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return node.unit ? text + " [" + node.unit->text + "]" : text;
}

std::string list(const Node& node, std::size_t first, Strength at_least) {
  std::string text;
  for (std::size_t i = first; i < node.operands.size(); ++i) {
    if (i > first) text += ", ";
    text += operand(node.operands[i], at_least);
  }
  return text;
}

std::string chain(const Node& node, Strength at_least) {
  std::string text;
  for (const Node& each : node.operands) {
    if (!text.empty()) text += symbol_of(node.op);
    text += operand(each, at_least);
  }
  return text;
}

/// Two operands; the right one of an operator that groups to the left needs brackets at the same strength.
std::string infix(const Node& node, Strength left, Strength right) {
  return operand(node.operands[0], left) + std::string(symbol_of(node.op)) + operand(node.operands[1], right);
}

std::string attribute(const Node& node) {
  const std::string text = node.name + "." + node.member;
  const bool has_class = !node.text.empty() || (node.member == "probability" && node.name != evidence_word);
  return !has_class ? text : text + "[" + quoted(node.text) + "]";
}

}  // namespace

std::string print(const Node& node) {
  switch (node.op) {
    case Op::disjunction:
      return chain(node, of_and);
    case Op::conjunction:
      return chain(node, of_not);
    case Op::negation:
      return "not " + operand(node.operands[0], of_not);
    case Op::minus:
      return "-" + operand(node.operands[0], of_unary);
    case Op::age:
      return "age(" + print(node.operands[0]) + ")";
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return infix(node, of_sum, of_sum);
    case Op::add:
    case Op::subtract:
      return infix(node, of_sum, of_term);
    case Op::multiply:
    case Op::divide:
      return infix(node, of_term, of_unary);
    case Op::within:
      return "within(" + list(node, 0, of_sum) + ")";
    case Op::in_set:
      return operand(node.operands[0], of_sum) + " in {" + list(node, 1, of_unary) + "}";
    case Op::in_interval:
      return operand(node.operands[0], of_sum) + (node.closed_low ? " in [" : " in (") + list(node, 1, of_sum) +
             (node.closed_high ? "]" : ")");
    case Op::count:
      return "count(" + node.name + ", " + print(node.operands[0]) + ")";
    case Op::minimum:
    case Op::maximum:
    case Op::mean:
      return std::string(symbol_of(node.op)) + "(" + node.name + "." + node.member + ")";
    case Op::agree:
      return "agree(" + node.name + ")";
    case Op::known:
      return "known(" + column(node) + ")";
    case Op::column:
      return column(node);
    case Op::attribute:
    case Op::finding:
      return attribute(node);
    case Op::number:
      return number(node);
    case Op::text:
      return quoted(node.text);
    case Op::boolean:
      return node.number != 0 ? "true" : "false";
  }
  return {};
}

}  // namespace hiple::condition
