#include "base/text.hpp"
#include "condition/parser.hpp"

namespace hiple::condition {

namespace {

const std::vector<std::string> functions = {"known", "within", "count", "agree", "min", "max", "mean", "age"};

}  // namespace

Node Parser::primary() {
  switch (now().kind) {
    case Token::Kind::number:
      return number();
    case Token::Kind::text:
      return word(Op::text);
    case Token::Kind::quoted_name:
      return word(Op::column);
    case Token::Kind::name:
      return name();
    case Token::Kind::symbol:
      if (is_symbol("(")) return bracketed();
      break;
    case Token::Kind::end:
      break;
  }
  fail("a value is missing before " + shown());
}

Node Parser::bracketed() {
  const std::size_t begin = now().begin;
  ++at_;
  Node node = disjunction();
  need_symbol(")");
  node.begin = begin;
  return close(std::move(node));
}

Node Parser::number() {
  Node node = open(Op::number);
  node.number = now().number;
  node.whole = now().whole;
  node.unit = now().unit;
  ++at_;
  return close(std::move(node));
}

/// A text, or a column.
Node Parser::word(Op op) {
  Node node = open(op);
  (op == Op::text ? node.text : node.name) = now().text;
  ++at_;
  return close(std::move(node));
}

Node Parser::name() {
  if (is_word("true") || is_word("false")) {
    Node node = open(Op::boolean);
    node.number = is_word("true") ? 1 : 0;
    ++at_;
    return close(std::move(node));
  }
  if (!is_plain_name(now().text)) fail("`" + now().text + "` cannot stand here");
  Node node = word(Op::column);
  if (is_symbol("(")) return call(std::move(node));
  if (!take_symbol(".")) return node;
  node.op = Op::attribute;
  node.member = need_name("an attribute or a question");
  if (take_symbol("[")) {
    if (now().kind != Token::Kind::text) fail("a class in double quotes is missing", {}, R"(write engine.probability["class"])");
    node.text = now().text;
    ++at_;
    need_symbol("]");
    if (node.member != "probability")
      throw InputError(place_of_(node.begin), "only .probability takes a class in brackets, not ." + node.member);
  } else if (node.member == "probability" && node.name != evidence_word) {
    fail("the class is missing", {}, "write " + node.name + R"(.probability["class"], or )" + node.name + ".confidence");
  }
  return close(std::move(node));
}

std::string Parser::need_name(const std::string& what) {
  if (now().kind != Token::Kind::name || !is_plain_name(now().text)) fail(what + " is missing before " + shown());
  return tokens_[at_++].text;
}

Node Parser::call(Node node) {
  const Level level(*this);
  const std::string function = node.name;
  const Place place = place_of_(node.begin);
  node.name.clear();
  ++at_;
  if (function == "known" || function == "age") {
    if (now().kind != Token::Kind::name && now().kind != Token::Kind::quoted_name) fail(function + "() needs a column");
    const bool may_be_evidence = is_word(evidence_word);
    Node column = word(Op::column);
    if (may_be_evidence && take_symbol(".")) {
      column.op = Op::attribute;
      column.member = need_name("a column or a question");
      column = close(std::move(column));
    }
    node.op = function == "known" ? Op::known : Op::age;
    if (node.op == Op::known) {
      node.name = column.member.empty() ? column.name : evidence_name(column.member);
      node.member = column.member;
    } else {
      node.operands.push_back(std::move(column));
    }
  } else if (function == "within") {
    node.op = Op::within;
    for (int i = 0; i < 3; ++i) {
      if (i > 0) need_symbol(",");
      node.operands.push_back(sum());
    }
  } else if (function == "count") {
    node.op = Op::count;
    node.name = need_name("a panel");
    need_symbol(",");
    node.operands.push_back(disjunction());
  } else if (function == "agree") {
    node.op = Op::agree;
    node.name = need_name("a panel");
  } else if (function == "min" || function == "max" || function == "mean") {
    node.op = function == "min" ? Op::minimum : function == "max" ? Op::maximum : Op::mean;
    node.name = need_name("a panel");
    need_symbol(".");
    node.member = need_name("`confidence` or `typicality`");
  } else {
    throw InputError(place, "there is no function " + function + "()", {}, suggestion(function, functions));
  }
  need_symbol(")");
  return close(std::move(node));
}

}  // namespace hiple::condition
