#include "report/html.hpp"

#include <cmath>

#include "base/text.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

void escape_line(std::string_view line, std::string& to) {
  for (const char c : printable(line)) {
    switch (c) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      case '\'':
        to += "&#39;";
        break;
      default:
        to += c;
    }
  }
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

const char* class_of(Column::Kind kind) {
  static const char* const classes[] = {"", " class=\"prose\"", " class=\"number\"", " class=\"picture\""};
  return classes[static_cast<std::size_t>(kind)];
}

}  // namespace

Html Html::text(std::string_view text) {
  Html result;
  while (true) {
    const std::size_t end = text.find('\n');
    escape_line(text.substr(0, end), result.markup_);
    if (end == std::string_view::npos) return result;
    result.markup_ += '\n';
    text.remove_prefix(end + 1);
  }
}

Html Html::trusted(std::string markup) {
  Html result;
  result.markup_ = std::move(markup);
  return result;
}

Html operator+(Html a, const Html& b) {
  a += b;
  return a;
}

Html name_html(std::string_view name) { return html("<bdi class=\"name\">{}</bdi>", name); }

std::string shortened(std::string_view text, std::size_t characters) {
  std::size_t seen = 0, cut = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i])) continue;
    if (seen + 1 == characters) cut = i;  // where the ellipsis would go
    if (seen == characters) return std::string(text.substr(0, cut)) + "…";
    ++seen;
  }
  return std::string(text);
}

Html table_html(Ids& ids, const Html& caption, const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows) {
  constexpr std::size_t sorted_from = 11;
  const std::string id = ids.next("table");
  Html head, body;
  for (const Column& column : columns)
    head += html("<th scope=\"col\"{}>{}</th>", Html::trusted(class_of(column.kind)), column.title);
  for (const auto& row : rows) {
    body += html("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Html key = row[i].key.empty() ? Html() : html(" data-key=\"{}\"", row[i].key);
      const Html kind = Html::trusted(class_of(columns.at(i).kind));
      body += i == 0 ? html("<th scope=\"row\"{}{}>{}</th>", kind, key, row[i].content)
                     : html("<td{}{}>{}</td>", kind, key, row[i].content);
    }
    body += html("</tr>\n");
  }
  return html(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{0}\"><table{1}>\n<caption "
      "id=\"{0}\">{2}</caption>\n"
      "<thead><tr>{3}</tr></thead>\n<tbody>\n{4}</tbody></table></div>\n",
      id, Html::trusted(rows.size() >= sorted_from ? " class=\"sortable\"" : ""), caption, head, body);
}

Cell count_cell(std::uint64_t count) { return {Html::text(count_text(count)), std::to_string(count)}; }

Cell number_cell(double value, int digits) {
  return {Html::text(number_text(value, digits)), std::isfinite(value) ? format_real(value) : "nan"};
}

Cell seconds_cell(double seconds) {
  return {Html::text(seconds_text(seconds)), std::isfinite(seconds) ? format_real(seconds) : "nan"};
}

std::string share_text(std::uint64_t count, std::uint64_t whole) {
  if (whole == 0) return "n/a";
  const double percent = 100 * static_cast<double>(count) / static_cast<double>(whole);
  if (count > 0 && percent < 0.01) return "< 0.01 %";
  if (count < whole && percent > 99.99) return "> 99.99 %";
  return fmt::format("{:.2f} %", percent);
}

Html missing_html(std::string_view what, std::string_view why) {
  return html("<p class=\"missing\"><strong>Not here: {}.</strong> {}</p>\n", what, why);
}

Html fold_html(const Html& summary, const Html& content) {
  return html("<details><summary>{}</summary>\n{}</details>\n", summary, content);
}

}  // namespace hiple::report
