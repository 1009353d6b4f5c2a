#include "audit/format_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "condition/syntax.hpp"

namespace hiple::audit {

namespace {

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
         c == '/' || c == '+' || c == ' ';
}

/// Whether a reader could take the plain text for something else than a text.
bool looks_typed(const std::string& text) {
  return text == "true" || text == "false" || text == "null" || text == "missing" || text == "invalid" ||
         parse_real(text).has_value() || parse_integer(text).has_value();
}

std::string double_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string single_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += c;
    result += c;
  }
  return result + '\'';
}

std::string scalar_text(const yaml::Node& node) {
  const std::string& text = node.text;
  if (!node.quoted) {
    if (const auto whole = parse_integer(text)) return std::to_string(*whole);
    if (const auto real = parse_real(text)) {
      const std::string shortest = format_real(*real);
      return parse_integer(shortest) ? shortest + ".0" : shortest;  // a whole number would be another type
    }
    if (looks_typed(text)) return text;
  }
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_safe) && text.front() != ' ' &&
                     text.back() != ' ' && text.front() != '-' && !looks_typed(text) && !(node.quoted && text == "~");
  return plain ? text : double_quoted(text);
}

std::string condition_text(const yaml::Node& node) {
  return condition::print(condition::parse_syntax(node.text, [&](std::size_t offset) { return node.place_of(offset); }));
}

std::string flow_text(const yaml::Node& node) {
  if (node.is_scalar()) return scalar_text(node);
  std::vector<std::string> parts;
  if (node.is_sequence()) {
    for (const yaml::Node& item : node.items) parts.push_back(flow_text(item));
    return "[" + join(parts, ", ") + "]";
  }
  if (!node.is_map()) return "null";
  yaml::Node key;
  key.kind = yaml::Node::Kind::scalar;
  for (const yaml::Entry& entry : node.entries) {
    key.text = entry.key;
    parts.push_back(scalar_text(key) + ": " + flow_text(entry.value));
  }
  return "{" + join(parts, ", ") + "}";
}

}  // namespace hiple::audit
