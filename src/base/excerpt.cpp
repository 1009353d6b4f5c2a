#include "base/excerpt.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace hiple {

namespace {

constexpr std::size_t widest = 100;  // characters of a line that are shown

std::optional<std::string> line_of(const Place& place) {
  std::error_code error;
  if (place.line == 0 || place.column == 0 || !std::filesystem::is_regular_file(place.file, error)) return std::nullopt;
  std::ifstream file(place.file, std::ios::binary);
  std::string line;
  for (std::size_t number = 0; number < place.line; ++number)
    if (!std::getline(file, line)) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

/// The length in bytes of a character of UTF-8 that begins there; zero where none does.
std::size_t length_at(const std::string& text, std::size_t place) {
  const auto first = static_cast<unsigned char>(text[place]);
  const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (length == 0 || place + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[place + i]) >> 6) != 2) return 0;
  return length;
}

struct Character {
  std::size_t place;  ///< in the line, in bytes from 0
  std::string text;
};

/// Tabs and control characters, which would move what stands below, are blanks.
std::optional<std::vector<Character>> characters_of(const std::string& line) {
  std::vector<Character> result;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = length_at(line, at);
    if (length == 0) return std::nullopt;
    const bool control = length == 1 && (static_cast<unsigned char>(line[at]) < 0x20 || line[at] == 0x7F);
    result.push_back({at, control ? " " : line.substr(at, length)});
    at += length;
  }
  return result;
}

}  // namespace

std::string excerpt(const Place& place) {
  const auto line = line_of(place);
  if (!line || place.column > line->size() + 1) return {};
  const auto characters = characters_of(*line);
  if (!characters) return {};
  std::size_t column = 0;  // in characters
  while (column < characters->size() && (*characters)[column].place + 1 < place.column) ++column;
  const std::size_t first = column < widest * 3 / 4 ? 0 : column - widest / 2;
  const std::size_t last = std::min(characters->size(), first + widest);
  std::string shown = first > 0 ? "... " : "";
  const std::size_t indent = shown.size() + column - first;
  for (std::size_t i = first; i < last; ++i) shown += (*characters)[i].text;
  if (last < characters->size()) shown += " ...";
  const std::string number = std::to_string(place.line);
  const std::string margin(number.size(), ' ');
  return "  " + number + " | " + shown + "\n  " + margin + " | " + std::string(indent, ' ') + "^\n";
}

std::string text_with_excerpts(const std::vector<Problem>& problems, std::size_t most) {
  std::string result;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    result += problems[i].text() + "\n";
    if (i < most) result += excerpt(problems[i].place);
  }
  return result;
}

}  // namespace hiple
