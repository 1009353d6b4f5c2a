#include "config/command_text.hpp"

#include <algorithm>

namespace hiple {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

/// Calls `use(before, name)` for each name in braces, with the text since the last one; returns the rest.
template <class Use>
std::string_view walk(std::string_view word, Use use) {
  std::size_t begin = 0;
  for (std::size_t open = word.find('{'); open != std::string_view::npos; open = word.find('{', open + 1)) {
    const std::size_t close = word.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string_view name = word.substr(open + 1, close - open - 1);
    if (!is_name(name)) continue;
    use(word.substr(begin, open - begin), name);
    begin = close + 1;
    open = close;
  }
  return word.substr(begin);
}

}  // namespace

std::vector<std::string> placeholders_in(std::string_view word) {
  std::vector<std::string> names;
  walk(word, [&](std::string_view, std::string_view name) { names.emplace_back(name); });
  return names;
}

std::string fill_in(std::string_view word, const std::map<std::string, std::string>& values) {
  std::string text;
  const std::string_view rest = walk(word, [&](std::string_view before, std::string_view name) {
    text += before;
    const auto found = values.find(std::string(name));
    text += found != values.end() ? found->second : "{" + std::string(name) + "}";
  });
  return text.append(rest);
}

}  // namespace hiple
