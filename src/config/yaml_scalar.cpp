#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "config/yaml.hpp"
#include "config/yaml_trace.hpp"

namespace hiple::yaml {

namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(words.begin(), words.end(), lower) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "010" and "-007.5", which some readers take for octal.
bool looks_octal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

/// What to write instead of a number that is refused.
std::string number_remedy(std::string_view text, bool integer) {
  if (text.find('_') != std::string_view::npos) return "write it without \"_\"";
  if (text.starts_with('+')) return "write it without \"+\"";
  if (text.starts_with("0x") || text.starts_with("0o") || text.starts_with("0b")) return "write it as a decimal number";
  if (looks_octal(text)) return "write it without the leading zero, which some read as octal";
  if (one_of(text, {".inf", "-.inf", ".nan", "inf", "-inf", "nan", "infinity"})) return "only finite numbers are accepted";
  if (std::count(text.begin(), text.end(), ',') == 1) return "write the decimal point as \".\"";
  const bool digits = !text.empty() && std::all_of(text.begin() + (text.starts_with('-') ? 1 : 0), text.end(), is_digit);
  if (integer && digits && parse_real(text)) return "it is too large: the largest is 9223372036854775807";
  if (integer && parse_real(text)) return "write a whole number, without point or exponent";
  return integer ? "write a whole number such as 12" : "write a number such as 12 or 1e-3";
}

/// The text of a scalar that may be read as something else than a text, or nothing and a problem.
std::optional<std::string_view> plain(const Node& node, std::string_view what, const std::string& wanted, Problems& problems) {
  if (node.is_scalar() && !node.quoted) return node.text;
  problems.add(node.place, std::string(what) + " must be " + wanted, "found " + node.description(),
               node.is_scalar() ? "remove the quotes" : std::string());
  return std::nullopt;
}

template <class Number>
std::optional<Number> as_number(const Node& node, std::string_view what, std::string_view wanted, bool integer,
                                std::optional<Number> (*parse)(std::string_view), Problems& problems) {
  const auto text = plain(node, what, std::string(wanted), problems);
  if (!text) return std::nullopt;
  const auto value = looks_octal(*text) ? std::nullopt : parse(*text);
  if (!value) {
    problems.add(node.place, std::string(what) + " must be " + std::string(wanted), "found " + node.description(),
                 number_remedy(*text, integer));
  }
  return value;
}

void note(const Node& node, Wanted::Type type) {
  if (Trace* trace = Trace::current()) trace->note_scalar(node.place, type);
}

}  // namespace

std::optional<std::string> as_text(const Node& node, std::string_view what, Problems& problems) {
  note(node, Wanted::Type::text);
  if (node.is_scalar()) return node.text;
  problems.add(
      node.place, std::string(what) + " must be a text", "found " + node.description(),
      node.kind == Node::Kind::null ? "write a text; null and ~ mean nothing unless they are in quotes" : "write one text");
  return std::nullopt;
}

std::optional<bool> as_boolean(const Node& node, std::string_view what, Problems& problems) {
  note(node, Wanted::Type::boolean);
  const auto text = plain(node, what, "true or false", problems);
  if (!text) return std::nullopt;
  if (*text == "true") return true;
  if (*text == "false") return false;
  std::string remedy;
  if (one_of(*text, {"yes", "y", "on", "true", "1"})) remedy = "write true";
  if (one_of(*text, {"no", "n", "off", "false", "0"})) remedy = "write false";
  problems.add(node.place, std::string(what) + " must be true or false", "found " + node.description(), remedy);
  return std::nullopt;
}

std::optional<std::int64_t> as_integer(const Node& node, std::string_view what, Problems& problems) {
  note(node, Wanted::Type::integer);
  return as_number<std::int64_t>(node, what, "a whole number", true, parse_integer, problems);
}

std::optional<double> as_real(const Node& node, std::string_view what, Problems& problems) {
  note(node, Wanted::Type::real);
  return as_number<double>(node, what, "a number", false, parse_real, problems);
}

std::optional<std::vector<std::string>> as_texts(const Node& node, std::string_view what, Problems& problems) {
  if (!node.is_sequence()) {
    problems.add(node.place, std::string(what) + " must be a sequence of texts", "found " + node.description(),
                 node.is_scalar() ? "write [" + node.text + "]" : "write [a, b]");
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const Node& item : node.items) {
    const auto text = as_text(item, "an entry of " + std::string(what), problems);
    if (text) texts.push_back(*text);
  }
  if (texts.size() != node.items.size()) return std::nullopt;
  return texts;
}

}  // namespace hiple::yaml
