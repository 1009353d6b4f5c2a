#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "condition/scope.hpp"
#include "condition/unit.hpp"

namespace hiple::condition {

/// Where the character at an offset of the condition's text stands in its file.
using PlaceOf = std::function<Place(std::size_t offset)>;

enum class Op : std::uint8_t {
  // of any number of operands
  conjunction,
  disjunction,
  // of one
  negation,
  minus,
  age,
  // of two
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  // of others
  within,       ///< x, y, tolerance
  in_set,       ///< x, literals
  in_interval,  ///< x, low, high
  count,        ///< panel `name`; one operand, about `each`
  minimum,      ///< panel `name`, `member` confidence or typicality; no operands, nor have those below
  maximum,
  mean,
  agree,      ///< panel `name`
  known,      ///< column `name`, as below
  column,     ///< `name`; of evidence also `member`, and then `name` is "evidence.MEMBER"
  attribute,  ///< `name`.`member`, and for a probability the class `text`
  finding,    ///< panel `name`, question `member`
  number,
  text,
  boolean,
};

/// What can be read of an engine.
enum class Attribute : std::uint8_t { label, confidence, probability, typicality, judged, value };

/// One node of a syntax tree. The first block is what was written; the second is filled in against a Scope.
struct Node {
  Op op = Op::boolean;
  std::size_t begin = 0, end = 0;  ///< offsets in the text
  std::vector<Node> operands;
  std::string name, member, text;
  double number = 0;                             ///< of a literal as written; of a boolean 0 or 1
  bool whole = false;                            ///< a literal without a point or an exponent
  std::optional<Unit> unit;                      ///< of a literal, as written
  std::size_t height = 1;                        ///< levels below, itself included
  bool closed_low = false, closed_high = false;  ///< of an interval

  Kind kind = Kind::wrong;
  std::optional<Unit> value_unit;  ///< of the value, where it has one
  std::size_t index = 0;           ///< of a column, engine or finding
  Attribute attribute = Attribute::label;
  std::uint32_t cause = 0;           ///< first number of its block in the CauseTable
  double value = 0;                  ///< of a literal: in the unit and type of what it is compared with; a class's index
  std::vector<std::uint32_t> texts;  ///< of a text: the Vocabulary's number of each of its possible values
  Conversion conversion;             ///< applied to a column's or an expression's value
  /// Of an aggregate: its engines by independent group. Each is an attribute; of count, with an operand: what is counted.
  std::vector<std::vector<Node>> groups;
};

/// Reads a text into a tree without looking at names. Throws InputError at the first thing that is no condition: wrong
/// characters, syntax, numbers out of range, unknown units, nesting deeper than 200.
Node parse_syntax(std::string_view text, const PlaceOf& place_of);

/// Resolves names and types in a tree. Reports every problem with the nearest right name.
void bind(Node& root, const Scope& scope, const PlaceOf& place_of, Problems& problems);

/// The canonical text of a tree: one blank around operators, no needless parentheses. Reading it again gives the same tree.
std::string print(const Node& node);

}  // namespace hiple::condition
