#include "audit/comments.hpp"

#include "base/text.hpp"

namespace hiple::audit {

namespace {

/// Walks over the lines and knows what it is inside of.
class Scanner {
 public:
  SourceNotes run(std::string_view source) {
    std::size_t number = 0;
    for (const std::string& line : split(source, '\n')) read_line(line, ++number);
    return std::move(notes_);
  }

 private:
  void read_line(const std::string& line, std::size_t number) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (quote_ == 0 && in_block_ && (indent == std::string::npos || indent > block_indent_)) return;
    in_block_ = in_block_ && quote_ != 0;
    char before = ':';  // the last character that is no blank: behind these a quote begins a text
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote_ != 0) {
        read_quoted(line, i);
        before = quote_ == 0 ? '"' : before;
        continue;
      }
      const bool free = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
      if (c == '#' && free) {
        notes_.comments.push_back({number, indent != i, std::string(trim(std::string_view(line).substr(i)))});
        return;
      }
      if (c == ' ' || c == '\t') continue;
      const bool starts = before == ':' || before == '-' || before == ',' || before == '[' || before == '{';
      if ((c == '"' || c == '\'') && starts) quote_ = c;
      notes_.aliases = notes_.aliases || (starts && (c == '&' || c == '*'));
      if ((c == '|' || c == '>') && starts && (before == ':' || before == '-')) {
        in_block_ = true;
        block_indent_ = indent;
      }
      before = c;
    }
  }

  /// Inside a quoted text: '' and \" do not end it.
  void read_quoted(const std::string& line, std::size_t& i) {
    if (quote_ == '"' && line[i] == '\\') {
      ++i;
    } else if (line[i] == quote_) {
      const bool doubled = quote_ == '\'' && i + 1 < line.size() && line[i + 1] == '\'';
      if (doubled) ++i;
      if (!doubled) quote_ = 0;
    }
  }

  SourceNotes notes_;
  char quote_ = 0;
  bool in_block_ = false;
  std::size_t block_indent_ = 0;
};

}  // namespace

SourceNotes notes_of(std::string_view source) { return Scanner().run(source); }

}  // namespace hiple::audit
