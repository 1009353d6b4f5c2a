#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hiple::report {

/// Markup. Text becomes markup by escaping only, so that no name and no message can be anything but text in a page.
class Html {
 public:
  Html() = default;
  /// Escaped for the content of an element and for a quoted attribute. Control characters and bytes that are no UTF-8 are written
  /// as \xNN; ends of lines stay.
  static Html text(std::string_view text);
  /// Markup from elsewhere, which the caller vouches for.
  static Html trusted(std::string markup);

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  [[nodiscard]] const std::string& markup() const { return markup_; }
  [[nodiscard]] bool empty() const { return markup_.empty(); }

 private:
  std::string markup_;
};
Html operator+(Html a, const Html& b);

namespace detail {

template <class Value>
auto as_markup(const Value& value) {
  if constexpr (std::is_same_v<Value, Html>) {
    return value.markup();
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return value;
  } else {
    return Html::text(value).markup();
  }
}

}  // namespace detail

/// Markup with values in it: html("<b>{}</b>", name) escapes the name. The markup is a literal, never a value.
template <std::size_t size, class... Values>
Html html(const char (&markup)[size], const Values&... values) {
  return Html::trusted(fmt::format(fmt::runtime(std::string_view(markup, size - 1)), detail::as_markup(values)...));
}

/// A name that a person gave: kept apart from the text around it, whatever way it is written in.
Html name_html(std::string_view name);

/// At most so many characters, with an ellipsis where it was cut.
std::string shortened(std::string_view text, std::size_t characters);

/// Ids of elements: each is given once.
class Ids {
 public:
  /// `kind`, a literal of letters, with a number behind it.
  std::string next(const std::string& kind) { return kind + "-" + std::to_string(++counts_[kind]); }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

/// One column of a table.
struct Column {
  std::string title;
  enum class Kind { text, prose, number, picture } kind = Kind::text;
};

/// A cell: what is seen, and by what it is sorted where that is not its text.
struct Cell {
  Html content;
  std::string key = {};
};

/// A table with a caption; its first cells head their rows. It scrolls in a frame of its own where the window is narrow. With
/// more than ten rows it can be sorted, where there is JavaScript.
Html table_html(Ids& ids, const Html& caption, const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows);

/// A cell with a whole number, "1 234".
Cell count_cell(std::uint64_t count);
/// A cell with a number, "0.938" or "n/a".
Cell number_cell(double value, int digits = 3);
/// A cell with a duration.
Cell seconds_cell(double seconds);

/// "12.34 %", and "n/a" of nothing.
std::string share_text(std::uint64_t count, std::uint64_t whole);

/// One line that says what is missing, and why.
Html missing_html(std::string_view what, std::string_view why);

/// What can be opened; closed at first.
Html fold_html(const Html& summary, const Html& content);

}  // namespace hiple::report
