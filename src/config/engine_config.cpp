#include "config/engine_config.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "config/limits.hpp"

namespace hiple {

namespace {

using yaml::MapReader;
using yaml::Node;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Names of engines stand in conditions and in file names.
void check_name(const std::string& name, const Place& place, Problems& problems) {
  constexpr std::size_t longest = 64;
  constexpr std::array<std::string_view, 8> words = {"and", "or", "not", "in", "true", "false", "each", "evidence"};
  const auto allowed = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > longest || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), allowed)) {
    problems.add(place, "\"" + name + "\" is no name for an engine", "it stands in conditions and in file names",
                 "write at most 64 letters, digits and \"_\", beginning with a letter or \"_\"");
  } else if (std::find(words.begin(), words.end(), name) != words.end()) {
    problems.add(place, "\"" + name + "\" is no name for an engine", "it is a word of the language of conditions",
                 "choose another");
  }
}

TrainConfig read_train(const Node& node, const std::string& what, Problems& problems) {
  MapReader map(node, "\"train\" of " + what, problems);
  TrainConfig train;
  train.epochs = map.integer("epochs", 1, limits::epochs, train.epochs);
  train.batch = map.integer("batch", 1, 10'000'000, train.batch);
  train.optimizer = map.choice("optimizer", {"adam", "adamw"}, train.optimizer);
  train.learning_rate = map.real("lr", 1e-12, 10, train.learning_rate);
  train.weight_decay = map.real("weight_decay", 0, 10, train.weight_decay);
  train.class_weight = map.choice("class_weight", {"none", "balanced"}, train.class_weight);
  train.early_stop = map.integer("early_stop", 0, 1'000'000, train.early_stop);
  train.schedule = map.choice("schedule", {"constant", "cosine"}, train.schedule);
  train.warmup = map.integer("warmup", 0, 1'000'000'000, train.warmup);
  train.clip = map.real("clip", 0, 1e9, train.clip);
  train.checkpoint_every = map.integer("checkpoint_every", 1, 1'000'000, train.checkpoint_every);
  map.finish();
  return train;
}

void read_features(MapReader& map, EngineConfig& engine, Problems& problems) {
  engine.features = map.texts("features");
  const Node* node = map.find("features");
  if (node == nullptr || !node->is_sequence() || node->items.size() != engine.features.size()) return;
  if (engine.features.empty())
    problems.add(node->place, "\"features\" of " + map.what() + " is empty", "an engine needs an input");
  std::set<std::string> seen;
  for (const Node& item : node->items) {
    engine.feature_places.push_back(item.place_of(0));
    if (!seen.insert(item.text).second)
      problems.add(item.place, "\"" + item.text + "\" stands twice in the features of " + map.what(), {}, "remove one of them");
    if (item.text == engine.target)
      problems.add(item.place, "the target \"" + item.text + "\" among the features", "the engine would read its own answer",
                   "remove it");
  }
}

}  // namespace

EngineConfig read_engine(const Node& node, Problems& problems) {
  MapReader map(node, "an engine", problems);
  EngineConfig engine;
  engine.place = node.place;
  engine.name = map.text("name");
  if (const Node* name = map.find("name"); name != nullptr && name->is_scalar()) {
    check_name(engine.name, name->place_of(0), problems);
    map = MapReader(node, "engine " + engine.name, problems);
    map.find("name");
  }
  engine.domain = map.text("domain", engine.name);
  engine.target = map.text("target");
  if (const Node* target = map.find("target")) engine.target_place = target->place_of(0);
  read_features(map, engine, problems);
  engine.cases = map.text("cases", engine.cases);
  const Node* cases = map.find("cases");
  engine.cases_place = cases != nullptr ? cases->place_of(0) : engine.place;
  engine.learns_also = map.text("learns_also", engine.learns_also);
  const Node* learns_also = map.find("learns_also");
  engine.learns_also_place = learns_also != nullptr ? learns_also->place_of(0) : engine.place;
  if (learns_also != nullptr && engine.learns_also.empty())
    problems.add(learns_also->place, "\"learns_also\" of " + map.what() + " is empty",
                 "it says which rows are learned from besides", "write a condition over input columns, or remove it");
  engine.type = map.choice("type", {"mlp", "conv1d", "command"}, engine.type);
  if (engine.is_command()) {
    engine.command = read_command(map, problems);
    engine.abstain_below = map.real("abstain_below", 0, 2, engine.abstain_below);
    engine.probabilities = map.choice("probabilities", {"all", "none"}, engine.probabilities);
    map.finish();
    return engine;
  }
  const std::string type = engine.type;
  if (const Node* model = map.find("model")) engine.model = read_model(*model, map.what(), engine.type, problems);
  if (const Node* given = map.find("type"); given != nullptr && engine.type != type)
    problems.add(given->place, "the type of " + map.what() + " is " + type, "its \"model\" says " + engine.type,
                 "remove one of the two");
  if (engine.is_convolutional() && engine.model.convolutions.empty() && map.find("model") == nullptr)
    problems.add(engine.place, map.what() + " is a conv1d without a \"model\"", "its convolutions stand there",
                 "add model: {convolutions: [{channels: 16, kernel: 5}]}");
  if (const Node* train = map.find("train")) engine.train = read_train(*train, map.what(), problems);
  engine.precision = map.choice("precision", {"fp32"}, engine.precision);
  engine.device = map.choice("device", {"cpu", "cuda", "auto"}, engine.device);
  engine.abstain_below = map.real("abstain_below", 0, 2, engine.abstain_below);
  engine.probabilities = map.choice("probabilities", {"all", "none"}, engine.probabilities);
  map.finish();
  return engine;
}

}  // namespace hiple
