#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "run/knowledge.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;

std::string counts_text(const char* name, const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [what, count] : counts) text += fmt::format("{:<11} {}: {}\n", text.empty() ? name : "", what, count);
  return text;
}

std::string known_text(const Knowledge& known) {
  std::string text = fmt::format("case {}: {}{}{}\n", known.case_id, known.finding, known.firm ? ", firm" : "",
                                 known.critical ? ", critical" : "");
  text += "  rules     " + join(known.rules, ", ") + "\n";
  if (!known.engines.empty()) text += "  engines   " + join(known.engines, ", ") + "\n";
  for (const std::string& each : known.evidence) text += "  evidence  " + printable(each) + "\n";
  return text + fmt::format("  since     revision {}\n", known.since);
}

}  // namespace

std::string to_text(const KnowledgeList& list) {
  std::string text = fmt::format("revision    {}\nknown       {} of {} answers about {} cases, {} of them firm\n", list.revision,
                                 list.held, list.answers, list.cases, list.firm);
  text += fmt::format("listed      {}\n", list.matching);
  text += counts_text("findings", list.by_finding) + counts_text("rest on", list.by_rule) +
          counts_text("by the word of", list.by_engine);
  for (const Knowledge& known : list.shown) text += known_text(known);
  if (list.matching > list.shown.size()) text += fmt::format("and {} more\n", list.matching - list.shown.size());
  for (const auto& [question, why] : list.unknown) text += fmt::format("not known: {}: {}\n", question, why);
  return text;
}

std::string to_json(const KnowledgeList& list) {
  Json json = {{"revision", list.revision}, {"cases", list.cases},        {"answers", list.answers},     {"known", list.held},
               {"firm", list.firm},         {"matching", list.matching},  {"findings", list.by_finding}, {"rules", list.by_rule},
               {"engines", list.by_engine}, {"knowledge", Json::array()}, {"not_known", Json::object()}};
  for (const Knowledge& known : list.shown)
    json["knowledge"].push_back({{"case", known.case_id},
                                 {"question", known.question},
                                 {"finding", known.finding},
                                 {"firm", known.firm},
                                 {"critical", known.critical},
                                 {"rules", known.rules},
                                 {"engines", known.engines},
                                 {"evidence", known.evidence},
                                 {"since", known.since}});
  for (const auto& [question, why] : list.unknown) json["not_known"][question] = why;
  return json.dump(1) + "\n";
}

std::string to_text(const KnowledgeSince& since, std::size_t most) {
  std::string text = fmt::format("revisions   {} to {}\n", since.from, since.to);
  for (const std::string& revision : since.revisions) text += "  " + revision + "\n";
  text += fmt::format("kept        {} answers stand on the same grounds\n", since.kept);
  for (const auto& [change, count] : since.counts) text += fmt::format("{:<13} {}\n", name_of(change), count);
  for (std::size_t i = 0; i < since.changes.size() && i < most; ++i) {
    const ChangedKnowledge& changed = since.changes[i];
    text += fmt::format("  {}case {}, {}: {}: {} -> {}\n", changed.critical ? "CRITICAL " : "", changed.case_id, changed.question,
                        name_of(changed.change), changed.before, changed.after);
  }
  if (since.changes.size() > most) text += fmt::format("  and {} more\n", since.changes.size() - most);
  return text;
}

std::string to_json(const KnowledgeSince& since) {
  Json json = {{"from", since.from}, {"to", since.to},           {"revisions", since.revisions},
               {"kept", since.kept}, {"counts", Json::object()}, {"changes", Json::array()}};
  for (const auto& [change, count] : since.counts) json["counts"][name_of(change)] = count;
  for (const ChangedKnowledge& changed : since.changes)
    json["changes"].push_back({{"case", changed.case_id},
                               {"question", changed.question},
                               {"change", name_of(changed.change)},
                               {"before", changed.before},
                               {"after", changed.after},
                               {"critical", changed.critical}});
  return json.dump(1) + "\n";
}

}  // namespace hiple
