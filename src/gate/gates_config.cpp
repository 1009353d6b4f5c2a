#include "gate/gates_config.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"

namespace hiple::gate {

namespace {

using yaml::MapReader;
using yaml::Node;

Place place_of(MapReader& map, const std::string& key) {
  const Node* node = map.find(key);
  return node != nullptr ? node->place_of(0) : map.place();
}

TruthConfig read_truth_entry(const yaml::Entry& entry, Problems& problems) {
  MapReader map(entry.value, "the truth of " + entry.key, problems);
  TruthConfig truth;
  truth.question = entry.key;
  truth.place = entry.place;
  truth.column = map.text("column");
  truth.column_place = place_of(map, "column");
  truth.also = map.text("also", "");
  truth.also_place = place_of(map, "also");
  if (const Node* findings = map.find("findings")) {
    if (!findings->is_map())
      problems.add(findings->place, "\"findings\" of " + map.what() + " must be a map", "found " + findings->description(),
                   "write {value: finding}");
    for (const yaml::Entry& value : findings->entries) {
      const auto finding = yaml::as_text(value.value, "the finding for \"" + value.key + "\"", problems);
      truth.findings[value.key] = finding.value_or("");
    }
  }
  map.finish();
  return truth;
}

std::vector<TruthConfig> read_truths(const Node& node, Problems& problems) {
  std::vector<TruthConfig> truths;
  truths.reserve(node.entries.size());
  if (!node.is_map() || node.entries.empty())
    problems.add(node.place, "\"truth\" must be a map of questions", "found " + node.description(),
                 "write question: {column: name}");
  for (const yaml::Entry& entry : node.entries) truths.push_back(read_truth_entry(entry, problems));
  std::sort(truths.begin(), truths.end(), [](const TruthConfig& a, const TruthConfig& b) { return a.question < b.question; });
  return truths;
}

std::vector<std::string> read_engines(const Node& node, const std::string& what, Problems& problems) {
  std::vector<std::string> engines;
  if (node.is_scalar())
    engines = {node.text};
  else
    engines = yaml::as_texts(node, what, problems).value_or(engines);
  std::sort(engines.begin(), engines.end());
  engines.erase(std::unique(engines.begin(), engines.end()), engines.end());
  return engines;
}

void read_needed(const Node& node, GatesConfig& config, Problems& problems) {
  if (!node.is_map())
    problems.add(node.place, "\"needed\" must be a map", "found " + node.description(), "write question: engine");
  for (const yaml::Entry& entry : node.entries) {
    config.needed[entry.key] = read_engines(entry.value, "the engines of " + entry.key, problems);
    config.needed_places[entry.key] = entry.place;
  }
}

void read_needed_columns(const Node& node, GatesConfig& config, Problems& problems) {
  if (!node.is_map() || node.entries.empty())
    problems.add(node.place, "\"needed_columns\" must be a map of engines", "found " + node.description(),
                 "write engine: column");
  for (const yaml::Entry& entry : node.entries) {
    config.needed_columns[entry.key] = yaml::as_text(entry.value, "the column of " + entry.key, problems).value_or("");
    config.needed_column_places[entry.key] = entry.place;
  }
  if (!config.needed.empty())
    problems.add(node.place, "\"needed\" and \"needed_columns\" are both given", "both say which engines a case needs",
                 "leave one out");
}

HomeConfig read_home(const Node& node, Problems& problems) {
  MapReader map(node, "home", problems);
  HomeConfig home;
  home.place = node.place;
  home.column = map.text("column");
  home.column_place = place_of(map, "column");
  if (const Node* engines = map.find("engines")) {
    if (!engines->is_map())
      problems.add(engines->place, "\"engines\" of home must be a map", "found " + engines->description(),
                   "write {value: engine}");
    for (const yaml::Entry& entry : engines->entries)
      home.engines[entry.key] = read_engines(entry.value, "the engines of \"" + entry.key + "\"", problems);
  }
  map.finish();
  return home;
}

std::vector<Waiver> read_waivers(const Node& node, Problems& problems) {
  std::vector<Waiver> waivers;
  if (!node.is_sequence())
    problems.add(node.place, "\"waivers\" must be a list", "found " + node.description(),
                 "write - {boundary: a -> b, by: who, date: 2026-01-31}");
  for (const Node& item : node.items) {
    MapReader map(item, "a waiver", problems);
    Waiver waiver{map.text("boundary"), map.text("by"), map.text("date"), map.text("because", ""), item.place};
    map.finish();
    if (map.find("by") != nullptr && waiver.by.empty())
      problems.add(item.place, "a waiver has no name", "somebody must answer for it", "write by: who");
    if (map.find("date") != nullptr && !parse_date(waiver.date))
      problems.add(item.place, "\"" + waiver.date + "\" is no date", {}, "write YYYY-MM-DD");
    for (const Waiver& other : waivers)
      if (other.boundary == waiver.boundary) problems.add(item.place, "the boundary \"" + waiver.boundary + "\" is waived twice");
    waivers.push_back(std::move(waiver));
  }
  std::sort(waivers.begin(), waivers.end(), [](const Waiver& a, const Waiver& b) { return a.boundary < b.boundary; });
  return waivers;
}

/// A threshold that no number of cases could ever prove is a mistake, and one that everything passes is no gate.
void check_reach(MapReader& map, const Thresholds& thresholds, Problems& problems) {
  const auto refuse = [&](const char* key, const std::string& why, const std::string& remedy) {
    problems.add(place_of(map, key), "no run can pass \"" + std::string(key) + "\"", why, remedy);
  };
  const std::string prove = "no number of cases can prove it";
  if (thresholds.cbr >= 1) refuse("cbr", prove, "ask for less than 1");
  if (thresholds.found && *thresholds.found >= 1) refuse("found", prove, "ask for less than 1");
  if (thresholds.coverage && *thresholds.coverage >= 1) refuse("coverage", prove, "ask for less than 1");
  if (thresholds.cmr_silent <= 0) refuse("cmr_silent", prove, "allow more than 0");
  if (thresholds.cmr_strict <= 0) refuse("cmr_strict", prove, "allow more than 0");
  if (thresholds.over_triage <= 0) refuse("over_triage", prove, "allow more than 0");
  if (thresholds.not_worse && *thresholds.not_worse <= 0) refuse("not_worse", prove, "allow more than 0");
  if (thresholds.cost && *thresholds.cost <= 0) refuse("cost", prove, "allow more than 0");
  if (thresholds.cost && *thresholds.cost >= 1)
    problems.add(place_of(map, "cost"), "every run passes \"cost\"", "a run that asks every engine costs 1 and recalls all",
                 "ask for less than 1, or leave it out");
}

Thresholds read_thresholds(const Node& node, Problems& problems) {
  MapReader map(node, "thresholds", problems);
  Thresholds thresholds;
  thresholds.cbr = map.real("cbr", 0, 1, thresholds.cbr);
  thresholds.cmr_silent = map.real("cmr_silent", 0, 1, thresholds.cmr_silent);
  thresholds.cmr_strict = map.real("cmr_strict", 0, 1, thresholds.cmr_strict);
  thresholds.over_triage = map.real("over_triage", 0, 1, thresholds.over_triage);
  const auto optional = [&](const std::string& key) {
    return map.find(key) != nullptr ? std::optional(map.real(key, 0, 1)) : std::nullopt;
  };
  thresholds.coverage = optional("coverage");
  thresholds.cost = optional("cost");
  thresholds.found = optional("found");
  thresholds.not_worse = optional("not_worse");
  check_reach(map, thresholds, problems);
  map.finish();
  return thresholds;
}

nlohmann::json threshold_json(const std::optional<double>& value) {
  return value ? nlohmann::json(format_real(*value)) : nlohmann::json();
}

}  // namespace

std::string GatesConfig::canonical() const {
  // nlohmann::json keeps the keys of its maps in order; numbers are written by format_real.
  nlohmann::json json = {{"gates", 1}, {"truth", nlohmann::json::object()}, {"needed", needed}};
  for (const TruthConfig& entry : truth)
    json["truth"][entry.question] = {{"column", entry.column}, {"also", entry.also}, {"findings", entry.findings}};
  json["thresholds"] = {{"cbr", format_real(thresholds.cbr)},
                        {"cmr_silent", format_real(thresholds.cmr_silent)},
                        {"cmr_strict", format_real(thresholds.cmr_strict)},
                        {"over_triage", format_real(thresholds.over_triage)},
                        {"coverage", threshold_json(thresholds.coverage)},
                        {"cost", threshold_json(thresholds.cost)},
                        {"found", threshold_json(thresholds.found)}};
  // What is not stated leaves no trace, so that the hash of a file stays when something new can be said.
  if (thresholds.not_worse) json["thresholds"]["not_worse"] = format_real(*thresholds.not_worse);
  if (!needed_columns.empty()) json["needed_columns"] = needed_columns;
  if (!home.column.empty()) json["home"] = {{"column", home.column}, {"engines", home.engines}};
  if (!cluster.empty()) json["cluster"] = cluster;
  for (const Waiver& waiver : waivers)
    json["waivers"].push_back(
        {{"boundary", waiver.boundary}, {"by", waiver.by}, {"date", waiver.date}, {"because", waiver.because}});
  return json.dump();
}

std::vector<std::string> GatesConfig::columns() const {
  std::vector<std::string> names;
  for (const TruthConfig& entry : truth) {
    names.push_back(entry.column);
    if (!entry.also.empty()) names.push_back(entry.also);
  }
  for (const auto& [engine, column] : needed_columns) names.push_back(column);
  if (!home.column.empty()) names.push_back(home.column);
  if (!cluster.empty()) names.push_back(cluster);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

GatesConfig load_gates(const std::filesystem::path& path) {
  const Node root = yaml::load(path);
  Problems problems;
  MapReader map(root, "the gates", problems);
  GatesConfig config;
  config.file = path;
  map.integer("gates", 1, 1);
  if (const Node* truth = map.require("truth")) config.truth = read_truths(*truth, problems);
  if (const Node* needed = map.find("needed")) read_needed(*needed, config, problems);
  if (const Node* columns = map.find("needed_columns")) read_needed_columns(*columns, config, problems);
  if (const Node* home = map.find("home")) config.home = read_home(*home, problems);
  config.cluster = map.text("cluster", "");
  config.cluster_place = place_of(map, "cluster");
  if (const Node* waivers = map.find("waivers")) config.waivers = read_waivers(*waivers, problems);
  if (const Node* thresholds = map.find("thresholds")) config.thresholds = read_thresholds(*thresholds, problems);
  map.finish();
  problems.throw_if_any();
  return config;
}

}  // namespace hiple::gate
