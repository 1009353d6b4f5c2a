#include "submit/shell.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hiple::submit {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool all_in(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [&](char c) { return is_letter_or_digit(c) || others.find(c) != std::string_view::npos; });
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (all_in(text, "/._-+:,@%")) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(shell_word(word));
  return join(quoted, " ");
}

std::string output_path(std::string_view path) {
  std::string value;
  for (const char c : path) {
    value += c;
    if (c == '%') value += c;
  }
  return value;
}

bool is_plain(std::string_view text) { return all_in(text, "_.,:+@=*|&()[]-"); }

}  // namespace hiple::submit
