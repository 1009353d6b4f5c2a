#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "condition/lexer.hpp"
#include "condition/syntax.hpp"

namespace hiple::condition {

namespace {

/// Deep enough for what people write; small enough for any stack, here and in everything that walks the tree.
constexpr std::size_t deepest = 200;

constexpr std::array<std::pair<std::string_view, Op>, 6> comparisons = {{{"==", Op::equal},
                                                                         {"!=", Op::not_equal},
                                                                         {"<", Op::less},
                                                                         {"<=", Op::less_equal},
                                                                         {">", Op::greater},
                                                                         {">=", Op::greater_equal}}};

const std::vector<std::string> functions = {"known", "within", "count", "agree", "min", "max", "mean", "age"};

/// Recursive descent, one function a level of precedence, the weakest first.
class Parser {
 public:
  Parser(std::string_view text, const PlaceOf& place_of) : place_of_(place_of), tokens_(tokens_of(text, place_of)) {}

  Node run() {
    if (now().kind == Token::Kind::end) fail("the condition is empty", {}, "`true` always holds");
    Node node = disjunction();
    if (now().kind != Token::Kind::end) fail("there is something after the end of the condition", "it ends before " + shown());
    return node;
  }

 private:
  /// Counts nesting; every way into a deeper level passes through one.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { parser_.deepen(); }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  void deepen() {
    if (++depth_ > deepest) too_deep();
  }
  [[noreturn]] void too_deep() const {
    fail("the condition is nested too deeply", "the limit is " + std::to_string(deepest) + " levels");
  }

  [[noreturn]] void fail(const std::string& what, const std::string& why = {}, const std::string& remedy = {}) const {
    throw InputError(place_of_(now().begin), what, why, remedy);
  }

  [[nodiscard]] const Token& now() const { return tokens_[at_]; }
  [[nodiscard]] std::string shown() const { return now().kind == Token::Kind::end ? "the end" : "\"" + now().text + "\""; }
  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return now().kind == Token::Kind::symbol && now().text == symbol;
  }
  [[nodiscard]] bool is_word(std::string_view word) const { return now().kind == Token::Kind::name && now().text == word; }
  bool take_symbol(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!is_word(word)) return false;
    ++at_;
    return true;
  }
  void need_symbol(std::string_view symbol) {
    if (!take_symbol(symbol)) fail("\"" + std::string(symbol) + "\" is missing before " + shown());
  }

  /// A chain such as a + b + c leans to the left: its height, too, is bounded.
  [[nodiscard]] Node close(Node node) const {
    node.end = tokens_[at_ - 1].end;
    for (const Node& operand : node.operands) node.height = std::max(node.height, operand.height + 1);
    if (node.height > deepest) too_deep();
    return node;
  }
  [[nodiscard]] Node open(Op op) const {
    Node node;
    node.op = op;
    node.begin = now().begin;
    return node;
  }
  /// A node that begins where its first operand does.
  [[nodiscard]] static Node around(Op op, Node first) {
    Node node;
    node.op = op;
    node.begin = first.begin;
    node.operands.push_back(std::move(first));
    return node;
  }

  Node disjunction() {
    const Level level(*this);
    return chain(Op::disjunction, "or", &Parser::conjunction);
  }
  Node conjunction() { return chain(Op::conjunction, "and", &Parser::negation); }

  /// Operands of one kind in a row are one node, however they were bracketed: their order and grouping mean nothing.
  Node chain(Op op, std::string_view word, Node (Parser::*operand)()) {
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
  static void append(Node& node, Node operand) {
    if (operand.op != node.op) {
      node.operands.push_back(std::move(operand));
      return;
    }
    for (Node& inner : operand.operands) node.operands.push_back(std::move(inner));
  }

  Node negation() {
    if (!is_word("not")) return comparison();
    const Level level(*this);
    Node node = open(Op::negation);
    ++at_;
    node.operands.push_back(negation());
    return close(std::move(node));
  }

  Node comparison() {
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

  Node membership(Node left) {
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

  Node literal() {
    Node node = unary();
    if (node.op != Op::number && node.op != Op::text && node.op != Op::boolean) {
      throw InputError(place_of_(node.begin), "a set holds literals only");
    }
    return node;
  }

  Node sum() {
    Node left = term();
    while (is_symbol("+") || is_symbol("-")) {
      Node node = around(is_symbol("+") ? Op::add : Op::subtract, std::move(left));
      ++at_;
      node.operands.push_back(term());
      left = close(std::move(node));
    }
    return left;
  }

  Node term() {
    Node left = unary();
    while (is_symbol("*") || is_symbol("/")) {
      Node node = around(is_symbol("*") ? Op::multiply : Op::divide, std::move(left));
      ++at_;
      node.operands.push_back(unary());
      left = close(std::move(node));
    }
    return left;
  }

  Node unary() {
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

  Node primary() {
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

  Node bracketed() {
    const std::size_t begin = now().begin;
    ++at_;
    Node node = disjunction();
    need_symbol(")");
    node.begin = begin;
    return close(std::move(node));
  }

  Node number() {
    Node node = open(Op::number);
    node.number = now().number;
    node.whole = now().whole;
    node.unit = now().unit;
    ++at_;
    return close(std::move(node));
  }

  /// A text, or a column.
  Node word(Op op) {
    Node node = open(op);
    (op == Op::text ? node.text : node.name) = now().text;
    ++at_;
    return close(std::move(node));
  }

  Node name() {
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
      if (now().kind != Token::Kind::text)
        fail("a class in double quotes is missing", {}, R"(write engine.probability["class"])");
      node.text = now().text;
      ++at_;
      need_symbol("]");
      if (node.member != "probability")
        throw InputError(place_of_(node.begin), "only .probability takes a class in brackets, not ." + node.member);
    } else if (node.member == "probability") {
      fail("the class is missing", {}, "write " + node.name + R"(.probability["class"], or )" + node.name + ".confidence");
    }
    return close(std::move(node));
  }

  std::string need_name(const std::string& what) {
    if (now().kind != Token::Kind::name || !is_plain_name(now().text)) fail(what + " is missing before " + shown());
    return tokens_[at_++].text;
  }

  Node call(Node node) {
    const Level level(*this);
    const std::string function = node.name;
    const Place place = place_of_(node.begin);
    node.name.clear();
    ++at_;
    if (function == "known" || function == "age") {
      if (now().kind != Token::Kind::name && now().kind != Token::Kind::quoted_name) fail(function + "() needs a column");
      Node column = word(Op::column);
      node.op = function == "known" ? Op::known : Op::age;
      if (node.op == Op::known)
        node.name = column.name;
      else
        node.operands.push_back(std::move(column));
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

  const PlaceOf& place_of_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Node parse_syntax(std::string_view text, const PlaceOf& place_of) { return Parser(text, place_of).run(); }

}  // namespace hiple::condition
