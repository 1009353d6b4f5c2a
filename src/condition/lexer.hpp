#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "condition/syntax.hpp"

namespace hiple::condition {

/// One word of a condition.
struct Token {
  enum class Kind : std::uint8_t {
    name,         ///< letters, digits and _
    quoted_name,  ///< in backquotes: a column of any name
    number,
    text,    ///< in double quotes; \" and \\ stand for " and \ .
    symbol,  ///< == != <= >= < > + - * / ( ) [ ] { } , .
    end,
  };
  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;
  std::string text;  ///< of a text or quoted name without the quotes
  double number = 0;
  bool whole = false;        ///< a number without a point or an exponent
  std::optional<Unit> unit;  ///< of a number, from the brackets behind it
};

/// Divides a text into words, the last of kind `end`. Throws InputError.
std::vector<Token> tokens_of(std::string_view text, const PlaceOf& place_of);

/// Whether a name can stand in a condition without backquotes.
bool is_plain_name(std::string_view name);

}  // namespace hiple::condition
