#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/text.hpp"
#include "report/text_table.hpp"
#include "run/rule_support.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;

std::string ids_text(const std::vector<std::uint64_t>& ids, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, ids.size()); ++i) texts.push_back(std::to_string(ids[i]));
  std::string text = join(texts, ", ");
  if (ids.size() > most) text += fmt::format("{}and {} more", texts.empty() ? "" : " ", ids.size() - most);
  return text;
}

std::vector<std::string> row_of(const RuleSupport& rule, const SupportGroup& group, bool first) {
  const bool any = group.cases > 0;
  return {first ? rule.id : "",
          first ? rule.finding : "",
          first ? rule.status : "",
          first ? format_real(rule.required) : "",
          group.source.empty() ? "cases" : printable(group.source),
          any ? fmt::format("{} of {}", group.held, group.cases) : "none",
          any ? fmt::format("{:.3f} to {:.3f}", group.lower, group.upper) : "-",
          name_of(group.support)};
}

/// A rule's bodies of evidence: those that say something, or that of cases alone.
std::vector<SupportGroup> told(const RuleSupport& rule) {
  std::vector<SupportGroup> groups = rule.groups;
  if (groups.size() > 1) std::erase_if(groups, [](const SupportGroup& group) { return group.cases == 0; });
  return groups;
}

}  // namespace

std::string to_text(const Verification& verification, std::size_t most) {
  std::string text = fmt::format("evidence  {}\n", verification.head);
  text += fmt::format("day       {}{}\n", format_date(verification.as_of),
                      verification.since ? ", evidence since " + format_date(*verification.since) : "");
  text += fmt::format("cases     {} with evidence about a finding; in {} answers its sources contradict one another\n\n",
                      verification.cases, verification.contradictory);
  std::vector<std::vector<std::string>> rows = {
      {"rule", "finding", "status", "required", "evidence", "held", "at every look", "verdict"}};
  for (const RuleSupport& rule : verification.rules) {
    bool first = true;
    for (const SupportGroup& group : told(rule)) {
      rows.push_back(row_of(rule, group, first));
      first = false;
    }
  }
  text += report::text_table(rows, {0, 1, 2, 4, 7}) + "\n";
  for (const RuleSupport& rule : verification.rules) {
    if (!rule.why.empty()) text += fmt::format("{} {}: {}\n", rule.id, name_of(rule.support), rule.why);
    if (rule.support == Support::contradicted && !rule.against.empty() && most > 0)
      text += fmt::format("{} {}: evidence says otherwise in case {}\n", rule.id, name_of(rule.support),
                          ids_text(rule.against, most));
  }
  text += fmt::format("{} supported, {} contradicted, {} unproven; right at every look with 95 % for all of them together\n",
                      verification.count(Support::supported), verification.count(Support::contradicted),
                      verification.count(Support::unproven));
  return text;
}

std::string to_json(const Verification& verification) {
  Json json = {{"evidence", verification.head},
               {"as_of", format_date(verification.as_of)},
               {"since", verification.since ? Json(format_date(*verification.since)) : Json(nullptr)},
               {"cases", verification.cases},
               {"contradictory", verification.contradictory},
               {"confidence", 0.95},
               {"rules", Json::array()}};
  for (const RuleSupport& rule : verification.rules) {
    Json entry = {{"id", rule.id},           {"version", rule.version},   {"status", rule.status},
                  {"finding", rule.finding}, {"required", rule.required}, {"verdict", name_of(rule.support)},
                  {"why", rule.why},         {"evidence", Json::array()}, {"against", rule.against}};
    for (const SupportGroup& group : told(rule))
      entry["evidence"].push_back({{"source", group.source.empty() ? Json(nullptr) : Json(group.source)},
                                   {"cases", group.cases},
                                   {"held", group.held},
                                   {"lower", group.lower},
                                   {"upper", group.upper},
                                   {"verdict", name_of(group.support)}});
    json["rules"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

}  // namespace hiple
