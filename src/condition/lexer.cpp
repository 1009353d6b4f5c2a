#include "condition/lexer.hpp"

#include <array>

#include "base/text.hpp"
#include "condition/unit_remedy.hpp"

namespace hiple::condition {

namespace {

constexpr std::array<std::string_view, 6> reserved = {"and", "or", "not", "in", "true", "false"};
constexpr std::uint64_t largest_whole = std::uint64_t{1} << 53;  // beyond it, not every whole number is a double

// The functions of <cctype> depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  Lexer(std::string_view text, const PlaceOf& place_of) : text_(text), place_of_(place_of) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      skip_blanks();
      Token token;
      token.begin = at_;
      read(token);
      token.end = at_;
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& what, const std::string& why = {},
                         const std::string& remedy = {}) const {
    throw InputError(place_of_(offset), what, why, remedy);
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }

  void read(Token& token) {
    if (at_ == text_.size()) return;
    if (is_digit(peek())) return read_number(token);
    if (is_letter(peek())) return read_name(token);
    if (peek() == '"' || peek() == '`') return read_quoted(token);
    read_symbol(token);
  }

  void read_name(Token& token) {
    token.kind = Token::Kind::name;
    while (is_letter(peek()) || is_digit(peek())) token.text += text_[at_++];
  }

  void read_quoted(Token& token) {
    const char quote = text_[at_++];
    token.kind = quote == '"' ? Token::Kind::text : Token::Kind::quoted_name;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
        if (peek() != '"' && peek() != '\\') fail(at_ - 1, "only \\\" and \\\\ may follow a backslash in a text");
      }
      token.text += text_[at_++];
    }
    if (at_ == text_.size()) fail(token.begin, std::string("a closing ") + quote + " is missing");
    ++at_;
    if (quote == '`' && token.text.empty()) fail(token.begin, "a name between backquotes is empty");
  }

  void read_digits() {
    while (is_digit(peek())) ++at_;
  }

  void read_number(Token& token) {
    token.kind = Token::Kind::number;
    token.whole = true;
    read_digits();
    if (peek() == '.') {
      token.whole = false;
      ++at_;
      if (!is_digit(peek())) fail(token.begin, "a digit is missing after the decimal point");
      read_digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      token.whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!is_digit(peek())) fail(token.begin, "a digit is missing in the exponent");
      read_digits();
    }
    token.text = text_.substr(token.begin, at_ - token.begin);
    if (is_letter(peek())) fail(at_, "a letter follows the number " + token.text, {}, "units stand in brackets: 6 [mU/L]");
    set_value(token);
    read_unit(token);
  }

  void set_value(Token& token) const {
    const auto value = parse_real(token.text);
    if (!value) fail(token.begin, token.text + " is out of range");
    if (token.text.size() > 1 && token.text[0] == '0' && is_digit(token.text[1]))
      fail(token.begin, token.text + " begins with a zero", "it could be meant as octal");
    const auto whole = parse_unsigned(token.text);
    if (token.whole && (!whole || *whole > largest_whole))
      fail(token.begin, token.text + " is too large for a whole number", "numbers beyond 2^53 cannot be compared exactly");
    token.number = *value;
  }

  void read_unit(Token& token) {
    const std::size_t end_of_number = at_;
    skip_blanks();
    if (peek() != '[') {
      at_ = end_of_number;
      return;
    }
    const std::size_t begin = ++at_;
    const std::size_t end = text_.find(']', begin);
    if (end == std::string_view::npos) fail(begin - 1, "a closing ] is missing after the unit");
    const std::string_view unit = trim(text_.substr(begin, end - begin));
    token.unit = parse_unit(unit);
    if (!token.unit) fail(begin, "[" + std::string(unit) + "] is no unit that is known here", {}, unit_remedy(unit));
    at_ = end + 1;
  }

  void read_symbol(Token& token) {
    token.kind = Token::Kind::symbol;
    const char first = peek();
    const bool two = peek(1) == '=' && std::string_view("=!<>").find(first) != std::string_view::npos;
    if (!two && (first == '=' || first == '!'))
      fail(at_, std::string(1, first) + " is no operator", {}, first == '=' ? "== compares" : "`not` negates, != compares");
    if (!two && std::string_view("<>+-*/()[]{},.").find(first) == std::string_view::npos) {
      if (first == '\'') fail(at_, "texts stand in double quotes");
      fail(at_, "the character \"" + character() + "\" cannot stand here");
    }
    token.text = text_.substr(at_, two ? 2 : 1);
    at_ += token.text.size();
  }

  /// The whole UTF-8 character at hand.
  [[nodiscard]] std::string character() const {
    std::size_t size = 1;
    while (at_ + size < text_.size() && (static_cast<unsigned char>(text_[at_ + size]) & 0xC0U) == 0x80U) ++size;
    return std::string(text_.substr(at_, size));
  }

  std::string_view text_;
  const PlaceOf& place_of_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, const PlaceOf& place_of) { return Lexer(text, place_of).run(); }

bool is_plain_name(std::string_view name) {
  if (name.empty() || is_digit(name[0])) return false;
  for (const char c : name)
    if (!is_letter(c) && !is_digit(c)) return false;
  for (const std::string_view word : reserved)
    if (name == word) return false;
  return true;
}

}  // namespace hiple::condition
