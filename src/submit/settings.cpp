#include "submit/settings.hpp"

#include <algorithm>

#include "config/yaml.hpp"
#include "submit/shell.hpp"
#include "submit/time_limit.hpp"

namespace hiple::submit {

namespace {

constexpr std::int64_t most_units = 1024;  // CPUs or GPUs a task
constexpr std::int64_t most_restarts = 10000;

using yaml::MapReader;

std::optional<std::string> optional_text(MapReader& map, const std::string& key) {
  if (map.find(key) == nullptr) return std::nullopt;
  return map.text(key);
}

bool is_variable_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), allowed);
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

void read_environment(const yaml::Node& node, Settings& settings, Problems& problems) {
  if (!node.is_map()) {
    problems.add(node.place, "\"environment\" of the site must be a map", "found " + node.description(), "write NAME: value");
    return;
  }
  for (const yaml::Entry& entry : node.entries) {
    if (!is_variable_name(entry.key))
      problems.add(entry.place, "\"" + entry.key + "\" is no name of an environment variable", {},
                   "write letters, digits and \"_\", not beginning with a digit");
    const auto value = yaml::as_text(entry.value, "the variable " + entry.key, problems);
    if (value && has_control_character(*value))
      problems.add(entry.value.place, "the variable " + entry.key + " holds a control character");
    if (value) settings.environment.emplace_back(entry.key, *value);
  }
}

void check_modules(const Settings& settings, const yaml::Node* node, Problems& problems) {
  for (std::size_t i = 0; i < settings.modules.size(); ++i)
    if (settings.modules[i].empty() || settings.modules[i][0] == '-' || has_control_character(settings.modules[i]))
      problems.add(node->items.at(i).place, "\"" + settings.modules[i] + "\" is no module's name");
}

}  // namespace

Settings load_site(const std::filesystem::path& path) {
  const yaml::Node root = yaml::load(path);
  Problems problems;
  MapReader map(root, "the site", problems);
  Settings settings;
  map.integer("site", 1, 1);
  settings.launch = map.choice("launch", {"srun", "mpirun"}, settings.launch);
  settings.partition = optional_text(map, "partition");
  settings.account = optional_text(map, "account");
  settings.qos = optional_text(map, "qos");
  settings.constraint = optional_text(map, "constraint");
  settings.time = optional_text(map, "time");
  settings.memory = optional_text(map, "memory");
  settings.cpus_per_task = map.integer("cpus_per_task", 1, most_units, settings.cpus_per_task);
  settings.gpus_per_task = map.integer("gpus_per_task", 0, most_units, settings.gpus_per_task);
  settings.restarts = map.integer("restarts", 0, most_restarts, settings.restarts);
  settings.modules = map.texts("modules", std::vector<std::string>{});
  if (const yaml::Node* modules = map.find("modules"); modules != nullptr && modules->is_sequence())
    check_modules(settings, modules, problems);
  if (const yaml::Node* environment = map.find("environment")) read_environment(*environment, settings, problems);
  map.finish();
  if (problems.empty()) check_settings(settings, map.place(), problems);
  problems.throw_if_any();
  return settings;
}

void check_settings(const Settings& settings, const Place& place, Problems& problems) {
  const std::vector<std::pair<const char*, const std::optional<std::string>*>> words = {{"partition", &settings.partition},
                                                                                        {"account", &settings.account},
                                                                                        {"qos", &settings.qos},
                                                                                        {"constraint", &settings.constraint},
                                                                                        {"memory", &settings.memory}};
  for (const auto& [name, value] : words)
    if (*value && !is_plain(**value))
      problems.add(place, std::string(name) + " is \"" + **value + "\"",
                   "a name of Slurm's holds letters, digits and _.,:+@=*|&()[]-", "correct it");
  if (settings.time && !parse_time_limit(*settings.time))
    problems.add(place, "time is \"" + *settings.time + "\"", "it is no time limit as Slurm writes it",
                 "write MINUTES, HOURS:MINUTES:SECONDS or DAYS-HOURS, such as 90, 01:30:00 or 2-12");
}

}  // namespace hiple::submit
