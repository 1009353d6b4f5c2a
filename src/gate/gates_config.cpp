#include "gate/gates_config.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

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

void read_needed(const Node& node, GatesConfig& config, Problems& problems) {
  if (!node.is_map())
    problems.add(node.place, "\"needed\" must be a map", "found " + node.description(), "write question: engine");
  for (const yaml::Entry& entry : node.entries) {
    std::vector<std::string> engines;
    if (entry.value.is_scalar()) {
      engines = {entry.value.text};
    } else {
      engines = yaml::as_texts(entry.value, "the engines of " + entry.key, problems).value_or(engines);
    }
    std::sort(engines.begin(), engines.end());
    engines.erase(std::unique(engines.begin(), engines.end()), engines.end());
    config.needed[entry.key] = std::move(engines);
    config.needed_places[entry.key] = entry.place;
  }
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
  return json.dump();
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
  if (const Node* thresholds = map.find("thresholds")) config.thresholds = read_thresholds(*thresholds, problems);
  map.finish();
  problems.throw_if_any();
  return config;
}

}  // namespace hiple::gate
