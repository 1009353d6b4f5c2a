#include "scaling/measure/weights_file.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "h5/h5.hpp"

namespace hiple::scaling {

namespace {

/// One rank's models as bytes: a line of JSON with their names, then the flat buffers.
std::string to_bytes(const std::vector<TrainedModel>& models, std::size_t size) {
  nlohmann::json names = nlohmann::json::array();
  for (const TrainedModel& model : models) names.push_back(model.name);
  std::string bytes = names.dump() + "\n";
  for (const TrainedModel& model : models) {
    const auto values = std::as_bytes(model.compute->parameters().first(size));
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size());
  }
  return bytes;
}

void write_model(h5::Writer& file, const engine::Layout& layout, const std::string& name, const std::vector<float>& values) {
  for (const engine::LayerSlice& layer : layout.layers) {
    const auto rows = static_cast<std::size_t>(layer.rows), columns = static_cast<std::size_t>(layer.columns);
    const std::span<const float> all = values;
    const std::string group = "/" + name + "/" + layer.name;
    file.write<float>(group + "/weight", all.subspan(layer.weight, rows * columns), columns);
    file.write<float>(group + "/bias", all.subspan(layer.bias, rows));
  }
}

}  // namespace

void write_weights(const std::filesystem::path& path, const engine::Layout& layout, const std::vector<TrainedModel>& models,
                   Communicator& world) {
  const std::vector<std::string> all = world.gather(to_bytes(models, layout.size));
  if (world.rank() != 0) return;
  h5::Writer file(path, "hiple scaling weights", 1);
  std::set<std::string> written;
  for (const std::string& bytes : all) {
    std::size_t place = bytes.find('\n') + 1;
    for (const std::string& name : nlohmann::json::parse(bytes.substr(0, place)).get<std::vector<std::string>>()) {
      std::vector<float> values(layout.size);
      std::memcpy(values.data(), bytes.data() + place, layout.size * sizeof(float));
      place += layout.size * sizeof(float);
      if (written.insert(name).second) write_model(file, layout, name, values);
    }
  }
  file.finish();
}

}  // namespace hiple::scaling
