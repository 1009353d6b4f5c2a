#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hiple::law {

/// Text for a person, never wider than 100 columns (code points): long lines go on under where their text began.
class Page {
 public:
  static constexpr std::size_t width = 100;

  /// A line of its own, after a blank one unless it is the first.
  void heading(std::string_view text);
  void line(std::size_t indent, std::string_view text);
  /// A label, padded to `label_width` columns or by two blanks where it is longer, then text.
  void field(std::size_t indent, std::string_view label, std::size_t label_width, std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  /// `start`, then text; lines that follow begin after `next_indent` blanks.
  void add_lines(std::string start, std::size_t next_indent, std::string_view text);
  std::string text_;
};

/// Columns that a text takes: its code points.
std::size_t columns_of(std::string_view text);

}  // namespace hiple::law
