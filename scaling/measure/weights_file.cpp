#include "scaling/measure/weights_file.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "h5/h5.hpp"

namespace hiple::scaling {

namespace {

/// One rank's models as bytes: a line of JSON with their names and sizes, then the flat buffers.
std::string to_bytes(const std::vector<TrainedModel>& models) {
  nlohmann::json list = nlohmann::json::array();
  for (const TrainedModel& model : models) {
    list.push_back({{"name", model.name}, {"numbers", model.parameters.size()}, {"layers", nlohmann::json::array()}});
    for (const LayerPlace& layer : model.layers)
      list.back()["layers"].push_back({layer.name, layer.weight, layer.bias, layer.inputs, layer.outputs});
  }
  std::string bytes = list.dump() + "\n";
  for (const TrainedModel& model : models) {
    const auto values = std::as_bytes(model.parameters);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size());
  }
  return bytes;
}

void write_model(h5::Writer& file, const std::string& name, const nlohmann::json& layers, std::span<const float> values) {
  for (const nlohmann::json& layer : layers) {
    const auto inputs = layer.at(3).get<std::size_t>(), outputs = layer.at(4).get<std::size_t>();
    const std::string group = "/" + name + "/" + layer.at(0).get<std::string>();
    file.write<float>(group + "/weight", values.subspan(layer.at(1).get<std::size_t>(), outputs * inputs), inputs);
    file.write<float>(group + "/bias", values.subspan(layer.at(2).get<std::size_t>(), outputs));
  }
}

}  // namespace

void write_weights(const std::filesystem::path& path, const std::vector<TrainedModel>& models, Communicator& world) {
  const std::vector<std::string> all = world.gather(to_bytes(models));
  if (world.rank() != 0) return;
  h5::Writer file(path, "hiple scaling weights", 1);
  std::set<std::string> written;
  for (const std::string& bytes : all) {
    std::size_t place = bytes.find('\n') + 1;
    for (const nlohmann::json& model : nlohmann::json::parse(bytes.substr(0, place))) {
      std::vector<float> values(model.at("numbers").get<std::size_t>());
      std::memcpy(values.data(), bytes.data() + place, values.size() * sizeof(float));
      place += values.size() * sizeof(float);
      const auto name = model.at("name").get<std::string>();
      if (written.insert(name).second) write_model(file, name, model.at("layers"), values);
    }
  }
  file.finish();
}

}  // namespace hiple::scaling
