#include "config/engine_config.hpp"
#include "config/limits.hpp"

namespace hiple {

namespace {

using yaml::MapReader;
using yaml::Node;

std::vector<std::int64_t> read_hidden(const Node& node, const std::string& what, std::size_t least, Problems& problems) {
  std::vector<std::int64_t> hidden;
  for (const Node& item : node.items) {
    const auto width = yaml::as_integer(item, "a width in \"hidden\" of " + what, problems);
    if (width && (*width < 1 || *width > limits::width))
      problems.add(item.place, "a hidden layer of width " + item.text, "it must be from 1 to " + std::to_string(limits::width));
    hidden.push_back(width.value_or(1));
  }
  if (!node.is_sequence() || hidden.size() < least || hidden.size() > limits::layers)
    problems.add(node.place,
                 "\"hidden\" of " + what + " must be a sequence of " + std::to_string(least) + " to " +
                     std::to_string(limits::layers) + " widths",
                 "found " + node.description(), "write [64, 64]");
  return hidden;
}

ConvolutionConfig read_convolution(const Node& node, const std::string& what, Problems& problems) {
  MapReader map(node, "a convolution of " + what, problems);
  ConvolutionConfig convolution;
  convolution.place = node.place;
  convolution.channels = map.integer("channels", 1, limits::channels);
  convolution.kernel = map.integer("kernel", 1, limits::kernel, convolution.kernel);
  convolution.stride = map.integer("stride", 1, limits::kernel, convolution.stride);
  map.finish();
  return convolution;
}

std::vector<ConvolutionConfig> read_convolutions(const Node& node, const std::string& what, Problems& problems) {
  std::vector<ConvolutionConfig> convolutions;
  convolutions.reserve(node.items.size());
  for (const Node& item : node.items) convolutions.push_back(read_convolution(item, what, problems));
  if (!node.is_sequence() || convolutions.empty() || convolutions.size() > limits::layers)
    problems.add(
        node.place,
        "\"convolutions\" of " + what + " must be a sequence of 1 to " + std::to_string(limits::layers) + " convolutions",
        "found " + node.description(), "write [{channels: 16, kernel: 5}]");
  return convolutions;
}

}  // namespace

ModelConfig read_model(const Node& node, const std::string& what, std::string& type, Problems& problems) {
  MapReader map(node, "\"model\" of " + what, problems);
  ModelConfig model;
  type = map.choice("type", {"mlp", "conv1d"}, type);
  const bool convolutional = type == "conv1d";
  const Node* convolutions = convolutional ? map.require("convolutions") : map.find("convolutions");
  if (convolutional) {
    if (convolutions != nullptr) model.convolutions = read_convolutions(*convolutions, what, problems);
    model.pool = map.choice("pool", {"mean", "max", "mean_max", "none"}, model.pool);
  } else {
    for (const char* key : {"convolutions", "pool"}) {
      if (const Node* found = map.find(key))
        problems.add(found->place, "\"" + std::string(key) + "\" in \"model\" of " + what, "its type is " + type,
                     "write type: conv1d, or remove it");
    }
  }
  if (const Node* hidden = map.find("hidden")) model.hidden = read_hidden(*hidden, what, convolutional ? 0 : 1, problems);
  model.activation = map.choice("activation", {"relu", "gelu", "tanh"}, model.activation);
  model.dropout = map.real("dropout", 0, limits::dropout, model.dropout);
  model.embedding = map.integer("embedding", 0, limits::embedding, model.embedding);
  map.finish();
  return model;
}

}  // namespace hiple
