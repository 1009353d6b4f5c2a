#include "audit/check_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace hiple::audit {

namespace {

using Json = nlohmann::ordered_json;

std::string more_text(const std::map<std::string, std::size_t>& all, const std::map<std::string, std::size_t>& listed,
                      const std::string& what) {
  std::string text;
  for (const auto& [name, count] : all) {
    const auto found = listed.find(name);
    const std::size_t shown = found == listed.end() ? 0 : found->second;
    if (count > shown) text += fmt::format("{}: {}: and {} more\n", what, name, count - shown);
  }
  return text;
}

}  // namespace

std::string to_text(const LawCheck& check, const std::string& name) {
  std::string text;
  std::map<std::string, std::size_t> listed, given_up;
  for (const Finding& finding : check.findings) {
    ++listed[finding.check];
    const std::string place = finding.place.line > 0 ? finding.place.text() : name;
    text += fmt::format("{}: {}: {}: {}\n", place, name_of(finding.severity), finding.check, finding.text);
    if (!finding.witness.empty()) text += "  witness " + finding.witness + "\n";
  }
  text += more_text(check.found, listed, name);
  for (const NotAnalysed& entry : check.not_analysed) {
    ++given_up[entry.check];
    text += fmt::format("{}: not analysed: {} of {}: {}\n", name, entry.check, join(entry.ids, ", "), entry.why);
  }
  text += more_text(check.given_up, given_up, name + ": not analysed");
  std::size_t open = 0;
  for (const auto& [what, count] : check.given_up) open += count;
  return text + fmt::format("{}: {} errors, {} warnings, {} notes, {} not analysed\n", name, check.count(Severity::error),
                            check.count(Severity::warning), check.count(Severity::note), open);
}

std::string to_json(const LawCheck& check, const std::string& name) {
  Json json = {{"law", name},
               {"findings", Json::array()},
               {"found", check.found},
               {"not_analysed", Json::array()},
               {"given_up", check.given_up}};
  for (const Finding& finding : check.findings)
    json["findings"].push_back({{"severity", name_of(finding.severity)},
                                {"check", finding.check},
                                {"ids", finding.ids},
                                {"place", finding.place.text()},
                                {"text", finding.text},
                                {"witness", finding.witness}});
  for (const NotAnalysed& entry : check.not_analysed)
    json["not_analysed"].push_back({{"check", entry.check}, {"ids", entry.ids}, {"why", entry.why}});
  return json.dump(2) + "\n";
}

}  // namespace hiple::audit
