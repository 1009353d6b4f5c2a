#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "law/loader.hpp"

/// The canonical text is law.yaml again, in JSON, which is YAML: keys and lists in ascending order, defaults written out,
/// conditions in their canonical form. Loading it gives the same law.
namespace hiple::law {

namespace {

using Json = nlohmann::json;

/// A scalar keeps its type: what is not in quotes and reads as a number or a truth value is one.
Json to_json(const yaml::Node& node) {
  if (node.is_map()) {
    Json map = Json::object();
    for (const yaml::Entry& entry : node.entries) map[entry.key] = to_json(entry.value);
    return map;
  }
  if (node.is_sequence()) {
    Json list = Json::array();
    for (const yaml::Node& item : node.items) list.push_back(to_json(item));
    return list;
  }
  if (!node.is_scalar()) return nullptr;
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  if (const auto whole = parse_integer(node.text)) return *whole;
  if (const auto real = parse_real(node.text)) return *real;
  return node.text;
}

template <class List, class Name>
Json names(const List& list, Name name) {
  Json result = Json::array();
  for (const auto& entry : list) result.push_back(name(entry));
  return result;
}

/// Writes a key only where it says something.
void put(Json& map, const char* key, const std::string& text) {
  if (!text.empty()) map[key] = text;
}

class Writer {
 public:
  explicit Writer(Law::Model& model) : model_(model) {}

  std::string run() {
    Json law = {{"law", 1}, {"name", model_.name}};
    for (const Question& question : model_.questions) law["questions"].push_back(write(question));
    for (const Panel& panel : model_.panels) law["panels"].push_back(write(panel));
    if (model_.precision) law["precision"] = *model_.precision;
    write_pairs(law);
    write_groups(law);
    if (!model_.critical.empty()) law["critical"] = write_critical();
    for (Rule& rule : model_.rules)
      if (!rule.fallback) law["rules"].push_back(record(write(rule), rule));
    for (LawEntry& entry : model_.laws) law["laws"].push_back(record(write(entry), entry));
    for (const Link& link : model_.links) law["links"].push_back(write(link));
    law["route"] = write_route();
    for (const Rule& rule : model_.rules) {
      if (!rule.fallback) continue;
      model_.records[rule.record] = {rule.id, 1, sha256(rule.id + "=" + model_.findings[rule.finding].name)};
    }
    return law.dump(1) + "\n";
  }

 private:
  /// Notes the version and hash of what is in force.
  template <class Entry>
  Json record(Json json, const Entry& entry) {
    if (entry.record != no_number) model_.records[entry.record] = {entry.id, entry.version, sha256(json.dump())};
    return json;
  }

  [[nodiscard]] Json finding(std::size_t number) const { return model_.findings[number].name; }
  [[nodiscard]] Json engines(const std::vector<std::size_t>& list) const {
    return names(list, [&](std::size_t i) { return model_.engines[i].name; });
  }

  [[nodiscard]] static Json write(const Question& question) {
    Json json = {{"name", question.name}, {"findings", question.findings}};
    if (question.fallback) json["default"] = question.findings[*question.fallback];
    return json;
  }

  [[nodiscard]] Json write(const Panel& panel) const {
    Json members = engines(panel.engines);
    for (const std::size_t member : panel.panels) members.push_back(model_.panels[member].name);
    Json json = {{"name", panel.name}, {"members", members}};
    if (panel.name != "root") json["answers"] = names(panel.answers, [&](std::size_t i) { return model_.questions[i].name; });
    return json;
  }

  void write_pairs(Json& law) const {
    for (std::size_t i = 0; i < model_.findings.size(); ++i)
      for (const std::size_t other : model_.findings[i].incompatible)
        if (i < other) law["incompatible"].push_back({finding(i), finding(other)});
  }

  void write_groups(Json& law) const {
    std::map<std::string, Json> groups;
    for (std::size_t i = 0; i < model_.engines.size(); ++i) groups[model_.groups[i]].push_back(model_.engines[i].name);
    for (const auto& [name, members] : groups)
      if (members.size() > 1) law["independence"].push_back(members);
  }

  [[nodiscard]] Json write_critical() const {
    Json list = Json::array();
    for (const Critical& critical : model_.critical)
      list.push_back({{"finding", finding(critical.finding)},
                      {"covered_by", names(critical.covered_by, [&](std::size_t i) { return finding(i); })},
                      {"to", critical.to},
                      {"suspect", critical.suspect.canonical()}});
    return {{"critical", 1}, {"findings", list}};
  }

  [[nodiscard]] Json write(const Rule& rule) const {
    static const char* const statuses[] = {"proposed", "verified", "accepted", "suspended", "retired"};
    Json json = {{"id", rule.id},
                 {"panel", model_.panels[rule.panel].name},
                 {"when", rule.when.canonical()},
                 {"then", finding(rule.finding)},
                 {"status", statuses[static_cast<std::size_t>(rule.status)]},
                 {"version", rule.version}};
    put(json, "title", rule.title);
    put(json, "because", rule.because_text);
    if (!rule.overrides.empty()) json["overrides"] = rule.overrides;
    if (rule.precision) json["precision"] = *rule.precision;
    if (rule.suspended) json["suspended_where"] = rule.suspended->canonical();
    if (!rule.valid_from.empty()) json["valid"]["from"] = rule.valid_from;
    if (!rule.valid_to.empty()) json["valid"]["to"] = rule.valid_to;
    if (rule.evidence.is_sequence()) json["evidence"] = to_json(rule.evidence);
    if (rule.tests.is_map()) json["tests"] = to_json(rule.tests);
    return json;
  }

  [[nodiscard]] Json write(const LawEntry& law) const {
    Json json = {{"id", law.id}, {"when", law.when.canonical()}, {"version", law.version}};
    const char* key = law.kind == LawKind::forbid ? "forbid" : law.kind == LawKind::require ? "require" : "escalate";
    json[key] = law.kind == LawKind::escalate ? Json(model_.questions[law.target].name) : finding(law.target);
    put(json, "title", law.title);
    put(json, "because", law.because_text);
    if (law.to) json["to"] = *law.to;
    if (law.tests.is_map()) json["tests"] = to_json(law.tests);
    return json;
  }

  [[nodiscard]] Json write(const Link& link) const {
    Json json = {{"id", link.id},
                 {"from", model_.engines[link.from].name},
                 {"to", model_.engines[link.to].name},
                 {"eager", link.eager},
                 {"when", link.when.canonical()}};
    put(json, "title", link.title);
    put(json, "because", link.because_text);
    return json;
  }

  [[nodiscard]] Json write_route() const {
    static const char* const rings[] = {"needed", "panel", "all"};
    Json json = {{"max_rounds", model_.max_rounds},
                 {"broaden", names(model_.broaden, [](Ring ring) { return rings[static_cast<std::size_t>(ring)]; })}};
    for (const RouteEntry& entry : model_.home) {
      Json home = {{"engines", engines(entry.engines)}};
      if (entry.when) home["when"] = entry.when->canonical();
      json["home"].push_back(std::move(home));
    }
    return json;
  }

  Law::Model& model_;
};

}  // namespace

void write_canonical(Law::Model& model) { model.canonical = Writer(model).run(); }

}  // namespace hiple::law
