#include "engine/network_layout.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"

namespace hiple::engine {
namespace {

constexpr std::size_t line = 16;  // numbers in 64 bytes

std::size_t round_up(std::size_t count) { return (count + line - 1) / line * line; }

void check(const NetworkShape& shape) {
  const auto positive = [](std::int64_t size, const char* what) {
    if (size <= 0) throw Error(fmt::format("a network's {} is {}, which is not positive", what, size));
  };
  if (shape.inputs < 0) throw Error(fmt::format("a network's number of inputs is {}, which is negative", shape.inputs));
  for (const EmbeddingShape& embedding : shape.embeddings) {
    positive(embedding.values, "number of values of a category");
    positive(embedding.width, "embedding width");
  }
  positive(shape.first_width(), "number of inputs");
  for (const std::int64_t width : shape.hidden) positive(width, "hidden width");
  positive(shape.outputs, "number of outputs");
  if (!(shape.dropout >= 0.0 && shape.dropout < 1.0)) {
    throw Error(fmt::format("a network's dropout is {}, which is not in [0, 1)", shape.dropout));
  }
}

}  // namespace

Activation parse_activation(std::string_view name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  if (name == "tanh") return Activation::tanh;
  throw Error(fmt::format("unknown activation '{}' (one of: relu, gelu, tanh)", name));
}

std::int64_t NetworkShape::first_width() const {
  return std::accumulate(embeddings.begin(), embeddings.end(), inputs,
                         [](std::int64_t sum, const EmbeddingShape& embedding) { return sum + embedding.width; });
}

Layout::Layout(const NetworkShape& shape) {
  check(shape);
  const auto add = [this](std::string name, std::int64_t rows, std::int64_t columns, bool embedding) {
    const auto height = static_cast<std::size_t>(rows), count = height * static_cast<std::size_t>(columns);
    LayerSlice slice{
        .name = std::move(name), .begin = size, .weight = size, .rows = rows, .columns = columns, .embedding = embedding};
    slice.bias = size + round_up(count);
    slice.size = round_up(count) + (embedding ? 0 : round_up(height));
    parameters += count + (embedding ? 0 : height);
    size += slice.size;
    layers.push_back(std::move(slice));
  };
  for (std::size_t i = 0; i < shape.embeddings.size(); ++i) {
    add(fmt::format("embedding{}", i), shape.embeddings[i].values + 1, shape.embeddings[i].width, true);
  }
  std::int64_t width = shape.first_width();
  for (std::size_t i = 0; i < shape.hidden.size(); ++i) {
    add(fmt::format("layer{}", i), shape.hidden[i], width, false);
    width = shape.hidden[i];
  }
  add(fmt::format("layer{}", shape.hidden.size()), shape.outputs, width, false);
}

}  // namespace hiple::engine
