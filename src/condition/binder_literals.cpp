#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"
#include "condition/binder.hpp"

namespace hiple::condition {

/// A literal must be one of the texts that the other side can be.
bool Binder::compare_texts(Node& left, Node& right) {
  Node& literal = right.op == Op::text ? right : left;
  const Node& other = right.op == Op::text ? left : right;
  if (literal.op != Op::text || other.op == Op::text) return true;
  if (std::find(other.texts.begin(), other.texts.end(), literal.texts[0]) != other.texts.end()) return true;
  std::vector<std::string> candidates;
  for (const auto& [text, number] : scope_.vocabulary->texts)
    if (std::find(other.texts.begin(), other.texts.end(), number) != other.texts.end()) candidates.push_back(text);
  wrong(literal, print(other) + " is never " + print(literal), {}, suggestion(literal.text, candidates));
  return false;
}

bool Binder::compare_dates(Node& left, Node& right) {
  for (Node* side : {&left, &right}) {
    if (side->kind == Kind::date || read_date(*side)) continue;
    return false;
  }
  return true;
}

bool Binder::read_date(Node& literal) {
  const auto days = literal.op == Op::text ? parse_date(literal.text) : std::nullopt;
  if (!days) {
    wrong(literal, print(literal) + " is no date", {}, R"(write a date as "2026-01-31")");
    return false;
  }
  literal.kind = Kind::date;
  literal.value = *days;
  return true;
}

}  // namespace hiple::condition
