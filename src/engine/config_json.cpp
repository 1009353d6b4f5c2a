#include "engine/config_json.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace hiple {

// Found by nlohmann::json through their names. Places are left out.
void to_json(nlohmann::ordered_json& json, const ConvolutionConfig& convolution) {
  json = {{"channels", convolution.channels}, {"kernel", convolution.kernel}, {"stride", convolution.stride}};
}

void from_json(const nlohmann::json& json, ConvolutionConfig& convolution) {
  json.at("channels").get_to(convolution.channels);
  json.at("kernel").get_to(convolution.kernel);
  json.at("stride").get_to(convolution.stride);
}

}  // namespace hiple

namespace hiple::engine {

namespace {

/// Calls `visit(key, member)` for each member that a model depends on, in the order of the file.
template <typename Config, typename Visit>
void visit_members(Config& config, Visit visit) {
  visit("name", config.name);
  visit("domain", config.domain);
  visit("target", config.target);
  visit("features", config.features);
  visit("cases", config.cases);
  visit("type", config.type);
  visit("precision", config.precision);
  visit("device", config.device);
  visit("abstain_below", config.abstain_below);
  visit("probabilities", config.probabilities);
  if (config.is_convolutional()) {  // by then `type` is read
    visit("convolutions", config.model.convolutions);
    visit("pool", config.model.pool);
  }
  visit("hidden", config.model.hidden);
  visit("activation", config.model.activation);
  visit("dropout", config.model.dropout);
  visit("embedding", config.model.embedding);
  visit("epochs", config.train.epochs);
  visit("batch", config.train.batch);
  visit("optimizer", config.train.optimizer);
  visit("lr", config.train.learning_rate);
  visit("weight_decay", config.train.weight_decay);
  visit("class_weight", config.train.class_weight);
  visit("early_stop", config.train.early_stop);
  visit("schedule", config.train.schedule);
  visit("warmup", config.train.warmup);
  visit("clip", config.train.clip);
  visit("checkpoint_every", config.train.checkpoint_every);
}

nlohmann::ordered_json members_of(const EngineConfig& config) {
  nlohmann::ordered_json json;
  visit_members(config, [&json](const char* key, const auto& value) { json[key] = value; });
  if (!config.learns_also.empty()) json["learns_also"] = config.learns_also;  // engines of before have no such key
  return json;
}

}  // namespace

std::string to_json(const EngineConfig& config) { return members_of(config).dump(); }

EngineConfig config_from_json(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    EngineConfig config;
    visit_members(config, [&json](const char* key, auto& value) { json.at(key).get_to(value); });
    config.learns_also = json.value("learns_also", "");
    return config;
  } catch (const nlohmann::json::exception& problem) {
    throw Error(std::string("an engine's configuration cannot be read: ") + problem.what());
  }
}

std::vector<std::string> differences(const EngineConfig& one, const EngineConfig& other) {
  const nlohmann::ordered_json a = members_of(one), b = members_of(other);
  std::vector<std::string> result;
  for (const auto& [key, value] : a.items()) {
    const std::string there = b.contains(key) ? b.at(key).dump() : "none";
    if (value.dump() != there) result.push_back(key + ": " + value.dump() + " and " + there);
  }
  return result;
}

}  // namespace hiple::engine
