#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "config/command_text.hpp"
#include "config/engine_config.hpp"

namespace hiple {

namespace {

using yaml::MapReader;
using yaml::Node;

void read_words(MapReader& map, CommandConfig& command, Problems& problems) {
  const Node* node = map.require("command");
  if (node == nullptr) return;
  if (!node->is_sequence() || node->items.empty()) {
    problems.add(node->place, "\"command\" of " + map.what() + " must be a list of words",
                 "found " + node->description() + "; no shell takes a line apart", "write [python3, train.py, \"{judgments}\"]");
    return;
  }
  command.words = map.texts("command");
  if (command.words.size() != node->items.size()) return;
  bool tells_where = false;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const Place place = node->items[i].place_of(0);
    command.word_places.push_back(place);
    if (command.words[i].empty() && i == 0) problems.add(place, "the program of " + map.what() + " has no name");
    for (const std::string& name : placeholders_in(command.words[i])) {
      tells_where = tells_where || name == "judgments" || name == "config";
      if (std::find(command_placeholders.begin(), command_placeholders.end(), name) != command_placeholders.end()) continue;
      const std::vector<std::string> known(command_placeholders.begin(), command_placeholders.end());
      problems.add(place, "\"{" + name + "}\" in \"command\" of " + map.what() + " stands for nothing", {},
                   suggestion(name, known));
    }
  }
  if (!tells_where)
    problems.add(node->place, "\"command\" of " + map.what() + " does not say where the judgments belong",
                 "the program has to write them", "give it \"{judgments}\", or \"{config}\", which names the file");
}

void read_variables(MapReader& map, CommandConfig& command, Problems& problems) {
  const Node* node = map.find("environment");
  if (node == nullptr) return;
  if (!node->is_map()) {
    problems.add(node->place, "\"environment\" of " + map.what() + " must be a map", "found " + node->description(),
                 "write {OMP_NUM_THREADS: \"1\"}");
    return;
  }
  for (const yaml::Entry& entry : node->entries) {
    const auto value = yaml::as_text(entry.value, "the variable " + entry.key + " of " + map.what(), problems);
    if (entry.key.empty() || entry.key.find('=') != std::string::npos || entry.key.starts_with("HIPLE_"))
      problems.add(entry.place, "\"" + entry.key + "\" is no name for a variable", "HIPLE_... are the run's own", "rename it");
    command.variables[entry.key] = value.value_or("");
  }
}

}  // namespace

CommandConfig read_command(MapReader& map, Problems& problems) {
  constexpr std::array<const char*, 4> not_ours = {"model", "train", "precision", "device"};
  CommandConfig command;
  for (const char* key : not_ours) {
    if (const Node* node = map.find(key))
      problems.add(node->place, "\"" + std::string(key) + "\" of " + map.what() + ", which is a command",
                   "the program alone decides how it learns", "remove it, or give it to the program as an argument");
  }
  read_words(map, command, problems);
  read_variables(map, command, problems);
  command.time_limit = map.duration("time_limit", command.time_limit);
  command.folder = map.text("folder", "");
  return command;
}

}  // namespace hiple
