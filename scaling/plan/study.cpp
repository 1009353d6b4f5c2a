#include "scaling/plan/study.hpp"

#include <algorithm>
#include <unordered_map>

#include "config/yaml.hpp"
#include "scaling/plan/block.hpp"

namespace hiple::scaling {

namespace {

using yaml::MapReader;
using yaml::Node;

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::map<std::string, std::string> read_open_mpi(const Node& node, Problems& problems) {
  std::map<std::string, std::string> parameters;
  if (!node.is_map()) problems.add(node.place, "\"open_mpi\" must be a map", "found " + node.description(), "write NAME: VALUE");
  for (const yaml::Entry& entry : node.entries) {
    if (!is_name(entry.key)) problems.add(entry.place, "\"" + entry.key + "\" is no parameter of Open MPI");
    if (const auto value = yaml::as_text(entry.value, "\"" + entry.key + "\" of open_mpi", problems))
      parameters[entry.key] = *value;
  }
  return parameters;
}

/// Adds those that are new. The same launch asked for twice is one configuration, a point of both curves.
void merge(std::vector<Configuration>& all, std::vector<Configuration> more,
           std::unordered_map<std::string, std::size_t>& known) {
  for (Configuration& one : more) {
    const auto [entry, is_new] = known.emplace(one.id, all.size());
    if (is_new) {
      all.push_back(std::move(one));
      continue;
    }
    std::vector<std::string>& scaling = all[entry->second].scaling;
    for (const std::string& kind : one.scaling)
      if (std::find(scaling.begin(), scaling.end(), kind) == scaling.end()) scaling.push_back(kind);
  }
}

void read_blocks(const Node& node, const Repetitions& repetitions, Study& study, Problems& problems) {
  constexpr std::size_t most = 100'000;
  if (!node.is_sequence() || node.items.empty()) {
    problems.add(node.place, "\"blocks\" must be a sequence of blocks", "found " + node.description(),
                 "write one \"- name: ...\" each");
    return;
  }
  std::unordered_map<std::string, std::size_t> known;
  for (const Node& item : node.items) {
    Problems of_block;
    const Block block = read_block(item, repetitions, of_block);
    const std::size_t size = block.strategies.size() * block.networks.size() * block.scaling.size() * block.ranks.size() *
                             block.links.size() * block.stragglers.size() * block.jitter.size();
    if (size > most) of_block.add(item.place, std::to_string(size) + " configurations in one block", "there may be 100000");
    // With a list that cannot be read, every combination would be wrong for the same reason.
    std::vector<Configuration> configurations;
    if (of_block.empty()) configurations = expand(block, study.seed, of_block);
    if (!of_block.empty()) problems.add(InputError(of_block.list()));
    merge(study.configurations, std::move(configurations), known);
  }
}

}  // namespace

Study load_study(const std::filesystem::path& path) {
  const Node root = yaml::load(path);
  Problems problems;
  MapReader map(root, "the study", problems);
  Study study;
  map.integer("study", 1, 1);
  study.name = map.text("name");
  if (const Node* name = map.find("name"); name != nullptr && name->is_scalar() && !is_name(study.name))
    problems.add(name->place, "\"name\" of the study is \"" + study.name + "\"", "it names a folder",
                 "write at most 64 letters, digits, \"_\" and \"-\"");
  study.seed = static_cast<std::uint64_t>(map.integer("seed", 0, INT64_MAX, 1));
  study.time_limit = map.duration("time_limit");
  study.launch_limit = map.duration("launch_limit");
  if (const Node* parameters = map.find("open_mpi")) study.open_mpi = read_open_mpi(*parameters, problems);
  const Repetitions repetitions = read_repetitions(map, {}, problems);
  if (const Node* blocks = map.require("blocks")) read_blocks(*blocks, repetitions, study, problems);
  map.finish();
  problems.throw_if_any();
  return study;
}

}  // namespace hiple::scaling
