#include "report/page.hpp"

#include <map>

#include "base/hash.hpp"
#include "report/page_parts.hpp"
#include "report/page_sections.hpp"

namespace hiple::report {

namespace {

struct Section {
  const char* id;
  const char* title;
  Html (*content)(Ids&, const Picture&);
};
constexpr Section sections[] = {{"overview", "In short", overview_html},
                                {"answers", "What was decided, and what was not", answers_html},
                                {"gates", "May it be trusted?", gates_html},
                                {"boundaries", "What crosses boundaries", boundaries_html},
                                {"engines", "Engines", engines_html},
                                {"time", "Where the time went", time_html},
                                {"mpi", "What the ranks said to each other", mpi_html},
                                {"law", "Rules and laws", law_html},
                                {"revisions", "What evidence says, and what it changed", revisions_html},
                                {"cases", "Decisions, one by one", cases_html},
                                {"provenance", "What this rests on", provenance_html}};

/// Base 64 of a SHA-256 in hexadecimal: how a page names the only script that may run in it.
std::string base64(const std::string& hexadecimal) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t bits = 0;
  int open = 0;
  for (const char c : hexadecimal) {
    bits = bits << 4U | static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    open += 4;
    if (open < 6) continue;
    open -= 6;
    text += digits[bits >> static_cast<unsigned>(open) & 63U];
  }
  if (open > 0) text += digits[bits << static_cast<unsigned>(6 - open) & 63U];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

/// Puts values in the place of {{name}}; what stands in a value is not looked at.
std::string filled(std::string_view frame, const std::map<std::string, std::string, std::less<>>& values) {
  std::string text;
  while (true) {
    const std::size_t begin = frame.find("{{"), end = frame.find("}}", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return text.append(frame);
    text.append(frame.substr(0, begin)).append(values.find(frame.substr(begin + 2, end - begin - 2))->second);
    frame.remove_prefix(end + 2);
  }
}

}  // namespace

std::string page(const Picture& picture) {
  Ids ids;
  Html links, body;
  for (const Section& section : sections) {
    links += html("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
    body += html("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n", section.id, section.title,
                 section.content(ids, picture));
  }
  return filled(page_frame, {{"title", html("Run {}", picture.name).markup()},
                             {"name", name_html(picture.name).markup()},
                             {"state", badge_html(picture.state).markup()},
                             {"script_sha256", base64(sha256(page_script))},
                             {"style", std::string(page_style)},
                             {"script", std::string(page_script)},
                             {"links", links.markup()},
                             {"body", body.markup()}});
}

}  // namespace hiple::report
