#include "run/add_engine_input.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "config/yaml.hpp"
#include "run/open_directory.hpp"
#include "run/run_directory.hpp"

namespace hiple {

namespace {

constexpr const char* only =
    "engines, law, gates and columns may join a finished run; what its engines and decisions were made from stays";

bool under(const std::string& path, std::string_view key) {
  return path.starts_with(key) && (path.size() == key.size() || path[key.size()] == '.');
}

/// What may differ: how a run is carried out, and what joins.
bool may_differ(const std::string& path) {
  static constexpr std::array<std::string_view, 11> free = {"output",     "isolation",  "restarts",   "step_limit",
                                                            "file_locks", "time_limit", "integrate",  "law",
                                                            "gates",      "data.table", "data.schema"};
  if (under(path, "engines") && (path.ends_with(".folder") || path.ends_with(".time_limit"))) return true;
  return std::any_of(free.begin(), free.end(), [&](std::string_view key) { return under(path, key); });
}

std::vector<std::string> names_of(const RunConfig& config) {
  std::vector<std::string> names;
  for (const EngineConfig& engine : config.engines) names.push_back(engine.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string name_in(const yaml::Node& item) {
  for (const yaml::Entry& entry : item.entries)
    if (entry.key == "name") return entry.value.text;
  return {};
}

/// Where a setting stands in a file; of one that is not written there, the nearest above it that is.
Place place_in(const yaml::Node& node, const std::string& path) {
  const auto below = [&](const std::string& key) {
    return path.size() == key.size() ? std::string() : path.substr(key.size() + 1);
  };
  if (path.empty()) return node.place;
  for (const yaml::Entry& entry : node.entries)
    if (under(path, entry.key)) return place_in(entry.value, below(entry.key));
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string name = name_in(node.items[i]);
    const std::string key = name.empty() ? std::to_string(i + 1) : name;
    if (under(path, key)) return place_in(node.items[i], below(key));
  }
  return node.place;
}

void check_engines(const RunConfig& held, const RunConfig& wanted, const yaml::Node& file, const Joining& joining,
                   Problems& problems) {
  const auto before = names_of(held), after = names_of(wanted);
  for (const std::string& name : before)
    if (!has(after, name))
      problems.add(place_in(file, "engines"), "engine " + name + " is gone", "an engine of a finished run stays",
                   "name it as the run does, or make a run of its own from this file");
  if (!joining.retrained.empty()) {
    for (const std::string& name : joining.added)
      problems.add(place_in(file, "engines." + name), "engine " + name + " is new", "only " + joining.retrained + " is retrained",
                   "leave it out, and add it afterwards");
    if (!has(before, joining.retrained))
      problems.add(Place{"--retrain"}, "the run has no engine " + joining.retrained, {}, suggestion(joining.retrained, before));
  } else if (joining.added.empty()) {
    problems.add(Place{wanted.file.string()}, "names no engine that the run does not have", "nothing would be trained",
                 "add one under `engines`, or give --retrain; after a change of the law alone: `hiple integrate`");
  }
}

}  // namespace

Joining check_joining(const RunConfig& held, const RunConfig& wanted, const std::string& retrain) {
  const yaml::Node file = yaml::load(wanted.file);
  const auto known = names_of(held), named = names_of(wanted);
  Joining joining;
  joining.retrained = retrain;
  for (const std::string& name : named)
    if (!has(known, name)) joining.added.push_back(name);
  Problems problems;
  check_engines(held, wanted, file, joining, problems);

  const auto of_one_engine = [&](const std::string& path, const std::string& name) { return under(path, "engines." + name); };
  const auto ignored = [&](const std::string& path) {
    if (may_differ(path)) return true;
    if (!retrain.empty() && of_one_engine(path, retrain)) return true;
    const auto joins = [&](const std::string& name) { return of_one_engine(path, name); };
    const bool gone = std::any_of(known.begin(), known.end(), [&](const auto& name) { return joins(name) && !has(named, name); });
    return gone || std::any_of(joining.added.begin(), joining.added.end(), joins);
  };
  const Settings before = settings_of(held), after = settings_of(wanted);
  std::set<std::string> paths;
  for (const auto& [path, value] : before) paths.insert(path);
  for (const auto& [path, value] : after) paths.insert(path);
  for (const std::string& path : paths) {
    const auto a = before.find(path), b = after.find(path);
    if ((a != before.end() && b != after.end() && a->second == b->second) || ignored(path)) continue;
    const std::string was = a == before.end() ? "it was not there" : "it was " + a->second;
    const std::string is = b == after.end() ? "is gone" : "is " + b->second;
    problems.add(place_in(file, path), path + " " + is + "; in the run " + was, only,
                 a == before.end() ? "leave it out" : "write " + a->second + ", or make a run of its own from this file");
  }
  if (RunDirectory::spreads(held.engines.size()) != RunDirectory::spreads(wanted.engines.size()))
    problems.add(place_in(file, "engines"), "there are " + std::to_string(wanted.engines.size()) + " engines",
                 "with more than 1000 their files lie in other folders than those of the run", "make a run of its own");
  problems.throw_if_any();
  return joining;
}

}  // namespace hiple
