#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "condition/lexer.hpp"
#include "condition/syntax.hpp"

namespace hiple::condition {

/// Recursive descent, one function a level of precedence, the weakest first: operators in parser.cpp, values in
/// parser_values.cpp.
class Parser {
 public:
  Parser(std::string_view text, const PlaceOf& place_of) : place_of_(place_of), tokens_(tokens_of(text, place_of)) {}

  Node run();

 private:
  /// Deep enough for what people write; small enough for any stack, here and in everything that walks the tree.
  static constexpr std::size_t deepest = 200;

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

  Node disjunction();
  Node conjunction();
  Node chain(Op op, std::string_view word, Node (Parser::*operand)());
  static void append(Node& node, Node operand);
  Node negation();
  Node comparison();
  Node membership(Node left);
  Node literal();
  Node sum();
  Node term();
  Node unary();

  Node primary();
  Node bracketed();
  Node number();
  Node word(Op op);
  Node name();
  std::string need_name(const std::string& what);
  Node call(Node node);

  const PlaceOf& place_of_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace hiple::condition
