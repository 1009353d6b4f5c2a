#include "law/explain_page.hpp"

#include <algorithm>

namespace hiple::law {

namespace {

bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

/// Bytes of the first `columns` code points.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_code_point(text[i]) && seen++ == columns) return i;
  }
  return text.size();
}

/// Cuts off what fits into `columns`: at a blank, or in the middle of a word that is wider than all of it.
std::string_view take_line(std::string_view& text, std::size_t columns) {
  std::size_t end = bytes_of(text, columns);
  if (end < text.size()) {
    const std::size_t blank = text.rfind(' ', end);
    if (blank != std::string_view::npos && blank > 0) end = blank;
  }
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return line;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
}

void Page::heading(std::string_view text) {
  if (!text_.empty()) text_ += '\n';
  line(0, text);
}

void Page::line(std::size_t indent, std::string_view text) { field(indent, "", 0, text); }

void Page::field(std::size_t indent, std::string_view label, std::size_t label_width, std::string_view text) {
  constexpr std::size_t least_room = 20, gap = 2;
  const std::size_t begin = indent + (label.empty() ? label_width : std::max(columns_of(label) + gap, label_width));
  if (begin + least_room > width) {  // the label takes a line of its own
    add_lines(std::string(indent, ' '), indent + 2, label);
    add_lines(std::string(indent + 4, ' '), indent + 4, text);
    return;
  }
  std::string start = std::string(indent, ' ') + std::string(label);
  start.append(begin - columns_of(start), ' ');
  add_lines(start, label_width == 0 ? begin + 2 : begin, text);
}

void Page::add_lines(std::string start, std::size_t next_indent, std::string_view text) {
  std::string one_line(text);
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  std::string_view rest = one_line;
  do {
    text_ += start;
    text_ += take_line(rest, width - columns_of(start));
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
    start.assign(next_indent, ' ');
  } while (!rest.empty());
}

}  // namespace hiple::law
