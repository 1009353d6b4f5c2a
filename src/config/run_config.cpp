#include "config/run_config.hpp"

#include <algorithm>
#include <set>

#include "base/date.hpp"
#include "base/text.hpp"
#include "config/engine_config.hpp"
#include "config/yaml.hpp"

namespace hiple {

namespace {

using yaml::MapReader;
using yaml::Node;

/// A path in the file is relative to the file, so that a study can be run from any folder.
std::filesystem::path beside(const std::filesystem::path& file, const std::string& text) {
  return (file.parent_path() / text).lexically_normal();
}

std::filesystem::path read_path(MapReader& map, const std::string& key, const std::filesystem::path& file, Place& place,
                                Problems& problems, std::optional<std::string> fallback = std::nullopt) {
  const std::string text = map.text(key, std::move(fallback));
  const Node* node = map.find(key);
  if (node != nullptr) place = node->place;
  if (text.empty() && node != nullptr && node->is_scalar())
    problems.add(node->place, "\"" + key + "\" of " + map.what() + " is empty", {}, "write the path of a file");
  return text.empty() ? std::filesystem::path() : beside(file, text);
}

/// A number strictly between 0 and 1.
double read_fraction(MapReader& map, const std::string& key, double fallback, Problems& problems) {
  const double value = map.real(key, 0, 1, fallback);
  if (value > 0 && value < 1) return value;
  problems.add(map.find(key)->place, "\"" + key + "\" of " + map.what() + " is " + format_real(value),
               "it must lie between 0 and 1, and be neither");
  return fallback;
}

void check_distinct(const std::vector<std::string>& texts, const Node* node, const std::string& what, Problems& problems) {
  if (node == nullptr || !node->is_sequence() || node->items.size() != texts.size()) return;
  if (texts.empty()) problems.add(node->place, what + " is empty");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!seen.insert(texts[i]).second) problems.add(node->items[i].place, "\"" + texts[i] + "\" stands twice in " + what);
  }
}

/// The split by the values of a column.
void read_listed_parts(MapReader& map, SplitConfig& split, Problems& problems) {
  split.train = map.texts("train");
  split.test = map.texts("test");
  check_distinct(split.train, map.find("train"), "\"train\" of data.split", problems);
  check_distinct(split.test, map.find("test"), "\"test\" of data.split", problems);
  for (const std::string& value : split.test) {
    if (std::find(split.train.begin(), split.train.end(), value) == split.train.end()) continue;
    problems.add(map.find("test")->place, "\"" + value + "\" is listed under train and under test",
                 "no row can be in both parts");
  }
  split.group = map.text("group", "");
  if (const Node* node = map.find("stratified"))
    problems.add(node->place, "\"stratified\" beside \"column\"", "the column's values alone divide the rows",
                 "remove one of them");
}

SplitConfig read_split(const Node& node, Problems& problems) {
  MapReader map(node, "data.split", problems);
  SplitConfig split;
  split.place = node.place;
  split.column = map.text("column", "");
  if (!split.column.empty()) {
    read_listed_parts(map, split, problems);
  } else {
    split.test_fraction = read_fraction(map, "test", split.test_fraction, problems);
    split.stratified = map.text("stratified", "");
    split.group = map.text("group", "");
    if (!split.group.empty() && !split.stratified.empty())
      problems.add(node.place, "the split is stratified and by group", "a group's rows can belong to several strata",
                   "choose one");
    if (const Node* train = map.find("train"))
      problems.add(train->place, "\"train\" without \"column\"", "the rows that are not in the test part are the training part",
                   "remove it, or name the column whose values it lists");
  }
  split.early_stop = read_fraction(map, "early_stop", split.early_stop, problems);
  split.calibration = read_fraction(map, "calibration", split.calibration, problems);
  if (split.early_stop + split.calibration >= 1)
    problems.add(node.place, "early_stop and calibration leave no rows to train on",
                 "together they are " + format_real(split.early_stop + split.calibration), "their sum must be under 1");
  map.finish();
  return split;
}

DataConfig read_data(const Node& node, const std::filesystem::path& file, Problems& problems) {
  MapReader map(node, "data", problems);
  DataConfig data;
  data.table = read_path(map, "table", file, data.table_place, problems);
  data.schema = read_path(map, "schema", file, data.schema_place, problems);
  data.split.place = node.place;
  if (const Node* split = map.find("split")) data.split = read_split(*split, problems);
  map.finish();
  return data;
}

/// Programs are started by the process of an engine, from the folder of the file.
void place_commands(RunConfig& config, Problems& problems) {
  for (EngineConfig& engine : config.engines) {
    if (!engine.is_command()) continue;
    engine.command.folder = std::filesystem::absolute(beside(config.file, engine.command.folder.string())).lexically_normal();
    if (config.isolation != "process")
      problems.add(engine.place, "engine " + engine.name + " is a command, and isolation is " + config.isolation,
                   "a rank cannot start programs: MPI forbids it", "write \"isolation: process\"");
    if (config.integrate.on_demand())
      problems.add(engine.place, "engine " + engine.name + " is a command, and judging is on_demand",
                   "a program judges the whole table at once", "write \"judging: dense\"");
  }
}

std::vector<EngineConfig> read_engines(const Node& node, Problems& problems) {
  std::vector<EngineConfig> engines;
  if (!node.is_sequence() || node.items.empty()) {
    problems.add(node.place, "\"engines\" must be a sequence of engines", "found " + node.description(),
                 "write one \"- name: ...\" each");
    return engines;
  }
  std::set<std::string> names;
  for (const Node& item : node.items) {
    engines.push_back(read_engine(item, problems));
    const EngineConfig& engine = engines.back();
    if (!engine.name.empty() && !names.insert(engine.name).second)
      problems.add(engine.place, "a second engine \"" + engine.name + "\"", "names are unique", "rename one of them");
  }
  return engines;
}

IntegrateConfig read_integrate(const Node& node, std::size_t engines, Problems& problems) {
  MapReader map(node, "integrate", problems);
  IntegrateConfig integrate;
  integrate.deadline = map.duration("deadline", integrate.deadline);
  integrate.lost_after = map.duration("lost_after", integrate.lost_after);
  if (integrate.lost_after < 1)
    problems.add(map.find("lost_after")->place, "\"lost_after\" of integrate is under a second",
                 "a rank shows itself four times in that time, in a file");
  integrate.quorum = map.text("quorum", integrate.quorum);
  const auto number = parse_integer(integrate.quorum);
  if (integrate.quorum != "all" && (!number || *number < 1 || static_cast<std::size_t>(*number) > engines)) {
    problems.add(map.find("quorum")->place, "\"quorum\" of integrate is \"" + integrate.quorum + "\"",
                 "it must be all, or a number of engines from 1 to " + std::to_string(engines));
  }
  integrate.judging = map.choice("judging", {"dense", "on_demand"}, integrate.judging);
  map.integer("integrators", 1, 1, 1);
  map.finish();
  return integrate;
}

std::int32_t read_date(MapReader& map, const std::string& key, Problems& problems) {
  const std::string text = map.text(key);
  const auto date = parse_date(text);
  const Node* node = map.find(key);
  if (!date && node != nullptr && node->is_scalar())
    problems.add(node->place, "\"" + key + "\" of " + map.what() + " is \"" + text + "\"", "it must be a date",
                 "write YYYY-MM-DD");
  return date.value_or(0);
}

/// gates.yaml alone, or {file: gates.yaml, report: previous.json}.
void read_gates(MapReader& map, const std::filesystem::path& file, RunConfig& config, Problems& problems) {
  const Node* node = map.find("gates");
  if (node == nullptr || !node->is_map()) {
    config.gates = read_path(map, "gates", file, config.gates_place, problems, "");
    return;
  }
  MapReader inner(*node, "gates", problems);
  config.gates = read_path(inner, "file", file, config.gates_place, problems);
  config.gate_report = read_path(inner, "report", file, config.gate_report_place, problems, "");
  inner.finish();
}

/// evidence.h5 alone, or {file: evidence.h5, least_reliability: 0.9}.
EvidenceConfig read_evidence(MapReader& map, const std::filesystem::path& file, Problems& problems) {
  EvidenceConfig evidence;
  const Node* node = map.find("evidence");
  if (node == nullptr || !node->is_map()) {
    evidence.file = read_path(map, "evidence", file, evidence.place, problems, "");
    return evidence;
  }
  MapReader inner(*node, "evidence", problems);
  evidence.file = read_path(inner, "file", file, evidence.place, problems);
  evidence.least_reliability = inner.real("least_reliability", 0, 1, evidence.least_reliability);
  inner.finish();
  return evidence;
}

std::string read_run_name(MapReader& map, Problems& problems) {
  std::string name = map.text("name");
  const Node* node = map.find("name");
  if (node == nullptr || !node->is_scalar()) return name;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  if (name.empty() || name.size() > 64 || name[0] == '.' || !std::all_of(name.begin(), name.end(), allowed))
    problems.add(node->place, "\"name\" of the run is \"" + name + "\"", "it names a folder",
                 "write at most 64 letters, digits, \"_\", \"-\" and \".\", not beginning with \".\"");
  return name;
}

}  // namespace

RunConfig load_run_config(const std::filesystem::path& path) {
  const Node root = yaml::load(path);
  Problems problems;
  MapReader map(root, "the run", problems);
  RunConfig config;
  config.file = path;
  map.integer("hiple", 1, 1);
  config.name = read_run_name(map, problems);
  config.seed = static_cast<std::uint64_t>(map.integer("seed", 0, INT64_MAX, 0));
  config.as_of = read_date(map, "as_of", problems);
  if (const Node* data = map.require("data")) config.data = read_data(*data, path, problems);
  if (const Node* engines = map.require("engines")) config.engines = read_engines(*engines, problems);
  config.isolation = map.choice("isolation", {"process", "rank"}, config.isolation);
  config.restarts = map.integer("restarts", 0, 1000, config.restarts);
  config.file_locks = map.choice("file_locks", {"required", "none"}, config.file_locks);
  config.step_limit = map.duration("step_limit", config.step_limit);
  config.time_limit = map.duration("time_limit", config.time_limit);
  config.law = read_path(map, "law", path, config.law_place, problems);
  read_gates(map, path, config, problems);
  config.evidence = read_evidence(map, path, problems);
  if (const Node* integrate = map.find("integrate"))
    config.integrate = read_integrate(*integrate, config.engines.size(), problems);
  place_commands(config, problems);
  config.output = map.text("output", "runs/" + config.name);
  if (config.output.empty())
    problems.add(map.find("output")->place, "\"output\" of the run is empty", {}, "write the path of a folder");
  map.finish();
  problems.throw_if_any();
  config.output = config.output.lexically_normal();
  return config;
}

}  // namespace hiple
