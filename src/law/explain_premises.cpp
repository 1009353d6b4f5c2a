#include "law/explain_premises.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hiple::law {

using condition::Node;
using condition::Op;
using condition::Truth;

namespace {

constexpr std::size_t truth_width = 9;

Truth truth_of(const Subject& subject, const Node& node, condition::CauseSet& causes) {
  return condition::evaluate(node, subject.view(), causes);
}

Truth truth_of(const Subject& subject, const Node& node) {
  condition::CauseSet ignored;
  return truth_of(subject, node, ignored);
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

/// What a count heard of one engine.
std::string counted_text(const Subject& subject, const Node& counted) {
  condition::CauseSet causes;
  const Truth truth = truth_of(subject, counted, causes);
  std::string text = condition::print(counted) + ": " + std::string(condition::name_of(truth));
  if (truth == Truth::unknown) text += ", " + causes_text(subject, causes);
  return text;
}

/// What an aggregate heard of each engine.
void add_members(const Subject& subject, const Node& node, std::vector<std::string>& texts) {
  for (const auto& group : node.groups) {
    for (const Node& member : group) {
      const bool counts = node.op == Op::count;
      add_once(texts, counts ? counted_text(subject, member.operands.at(0))
                             : condition::print(member) + " = " + value_text(subject, member));
    }
  }
}

/// The values that an atom reads, each once, in the order of its text.
void add_values(const Subject& subject, const Node& node, std::vector<std::string>& texts) {
  if (!node.groups.empty()) return add_members(subject, node, texts);
  if (node.op == Op::column || node.op == Op::known) add_once(texts, node.name + " = " + value_text(subject, node));
  if (node.op == Op::attribute || node.op == Op::finding) {
    add_once(texts, condition::print(node) + " = " + value_text(subject, node));
  }
  for (const Node& operand : node.operands) add_values(subject, operand, texts);
}

/// "TSH > 6 [mU/L]   (TSH = 7.2 mU/L)".
std::string atom_text(const Subject& subject, const Node& node) {
  std::vector<std::string> values;
  add_values(subject, node, values);
  std::string text = condition::print(node);
  if (!values.empty()) text += "   (" + join(values, "; ") + ")";
  return text;
}

bool is_connective(const Node& node) {
  return node.op == Op::conjunction || node.op == Op::disjunction || node.op == Op::negation;
}

void explain_node(Page& page, std::size_t indent, const Subject& subject, const Node& node) {
  const auto truth = condition::name_of(truth_of(subject, node));
  if (!is_connective(node)) return page.field(indent, truth, truth_width, atom_text(subject, node));
  const char* words = node.op == Op::conjunction ? "all of" : node.op == Op::disjunction ? "any of" : "not";
  page.field(indent, truth, truth_width, words);
  for (const Node& operand : node.operands) explain_node(page, indent + 2, subject, operand);
}

/// The atoms that keep `node` from having the truth `wanted`.
void add_obstacles(const Subject& subject, const Node& node, Truth wanted, std::vector<std::string>& texts) {
  const Truth truth = truth_of(subject, node);
  if (truth == wanted) return;
  if (node.op == Op::negation) return add_obstacles(subject, node.operands.at(0), condition::negate(wanted), texts);
  if (is_connective(node)) {
    for (const Node& operand : node.operands) add_obstacles(subject, operand, wanted, texts);
    return;
  }
  add_once(texts, std::string(condition::name_of(truth)) + " " + atom_text(subject, node));
}

/// What would give `node` the truth `wanted`, which it has not.
std::string needs_of(const Subject& subject, const Node& node, Truth wanted, bool in_other) {
  if (node.op == Op::negation) return needs_of(subject, node.operands.at(0), condition::negate(wanted), in_other);
  if (!is_connective(node)) {
    std::string atom = condition::print(node);
    if (wanted == Truth::yes) return atom;
    return atom.find(' ') == std::string::npos ? "not " + atom : "not (" + atom + ")";
  }
  const bool all = (node.op == Op::conjunction) == (wanted == Truth::yes);
  const bool unknown = truth_of(subject, node) == Truth::unknown;
  std::vector<std::string> texts;
  for (const Node& operand : node.operands) {
    const Truth truth = truth_of(subject, operand);
    if (truth == wanted || (!all && unknown && truth != Truth::unknown)) continue;
    add_once(texts, needs_of(subject, operand, wanted, true));
  }
  const std::string text = join(texts, all ? " and " : " or ");
  return texts.size() > 1 && in_other ? "(" + text + ")" : text;
}

}  // namespace

void explain_condition(Page& page, std::size_t indent, const Subject& subject, const condition::Condition& condition) {
  explain_node(page, indent, subject, condition.root());
}

std::vector<std::string> obstacles(const Subject& subject, const condition::Condition& condition) {
  std::vector<std::string> texts;
  add_obstacles(subject, condition.root(), Truth::yes, texts);
  return texts;
}

std::string needs(const Subject& subject, const condition::Condition& condition) {
  return needs_of(subject, condition.root(), Truth::yes, false);
}

void explain_obstacles(Page& page, const Subject& subject, const condition::Condition& condition) {
  const auto texts = obstacles(subject, condition);
  if (texts.empty()) return page.line(2, "Its condition is TRUE.");
  page.line(2, "Its condition would need " + needs(subject, condition));
  page.line(2, "What keeps it from being TRUE:");
  for (const std::string& text : texts) page.line(4, text);
}

}  // namespace hiple::law
