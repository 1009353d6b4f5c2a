#include "engine/network_layout.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"

namespace hiple::engine {
namespace {

constexpr std::size_t line = 16;  // numbers in 64 bytes

std::size_t round_up(std::size_t count) { return (count + line - 1) / line * line; }

void check(const SeriesShape& series) {
  for (const ConvolutionShape& convolution : series.convolutions) {
    if (convolution.channels <= 0 || convolution.kernel <= 0 || convolution.stride <= 0)
      throw Error(fmt::format("a convolution of {} channels with kernel {} and stride {}: all three are positive",
                              convolution.channels, convolution.kernel, convolution.stride));
  }
  if (series.empty()) {
    if (!series.convolutions.empty()) throw Error("a network has convolutions, but no series");
    return;
  }
  if (series.channels < 0 || series.length <= 0 || series.convolutions.empty())
    throw Error(fmt::format("a series of {} channels and {} points under {} convolutions: all three are positive",
                            series.channels, series.length, series.convolutions.size()));
  for (std::size_t i = 1; i <= series.convolutions.size(); ++i) {
    if (series.places_after(i) > 0) continue;
    throw Error(fmt::format("convolution {} reads {} points at a time where {} are left", i, series.convolutions[i - 1].kernel,
                            series.places_after(i - 1)));
  }
}

void check(const NetworkShape& shape) {
  const auto positive = [](std::int64_t size, const char* what) {
    if (size <= 0) throw Error(fmt::format("a network's {} is {}, which is not positive", what, size));
  };
  if (shape.inputs < 0) throw Error(fmt::format("a network's number of inputs is {}, which is negative", shape.inputs));
  for (const EmbeddingShape& embedding : shape.embeddings) {
    positive(embedding.values, "number of values of a category");
    positive(embedding.width, "embedding width");
  }
  check(shape.series);
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

Pool parse_pool(std::string_view name) {
  if (name == "mean") return Pool::mean;
  if (name == "max") return Pool::max;
  if (name == "mean_max") return Pool::mean_max;
  if (name == "none") return Pool::none;
  throw Error(fmt::format("unknown pooling '{}' (one of: mean, max, mean_max, none)", name));
}

std::int64_t SeriesShape::places_after(std::size_t count) const {
  std::int64_t places = length;
  for (std::size_t i = 0; i < count; ++i) {
    const ConvolutionShape& convolution = convolutions[i];
    places = places < convolution.kernel ? 0 : (places - convolution.kernel) / convolution.stride + 1;
  }
  return places;
}

std::int64_t SeriesShape::channels_after(std::size_t count) const {
  return count == 0 ? channels : convolutions[count - 1].channels;
}

std::int64_t SeriesShape::pooled() const {
  const std::int64_t last = channels_after(convolutions.size());
  switch (pool) {
    case Pool::mean:
    case Pool::max:
      return last;
    case Pool::mean_max:
      return 2 * last;
    case Pool::none:
      return last * places_after(convolutions.size());
  }
  return 0;
}

std::int64_t NetworkShape::first_width() const {
  return std::accumulate(embeddings.begin(), embeddings.end(), inputs + series.pooled(),
                         [](std::int64_t sum, const EmbeddingShape& embedding) { return sum + embedding.width; });
}

Layout::Layout(const NetworkShape& shape) {
  check(shape);
  const auto add = [this](std::string name, std::int64_t rows, std::int64_t columns, bool embedding, std::int64_t kernel = 1) {
    const auto height = static_cast<std::size_t>(rows), count = height * static_cast<std::size_t>(columns);
    LayerSlice slice{.name = std::move(name),
                     .begin = size,
                     .weight = size,
                     .rows = rows,
                     .columns = columns,
                     .embedding = embedding,
                     .kernel = kernel};
    slice.bias = size + round_up(count);
    slice.size = round_up(count) + (embedding ? 0 : round_up(height));
    parameters += count + (embedding ? 0 : height);
    size += slice.size;
    layers.push_back(std::move(slice));
  };
  for (std::size_t i = 0; i < shape.embeddings.size(); ++i) {
    add(fmt::format("embedding{}", i), shape.embeddings[i].values + 1, shape.embeddings[i].width, true);
  }
  for (std::size_t i = 0; i < shape.series.convolutions.size(); ++i) {
    const ConvolutionShape& convolution = shape.series.convolutions[i];
    const std::int64_t patch = convolution.kernel * shape.series.channels_after(i);
    add(fmt::format("convolution{}", i), convolution.channels, patch, false, convolution.kernel);
  }
  std::int64_t width = shape.first_width();
  for (std::size_t i = 0; i < shape.hidden.size(); ++i) {
    add(fmt::format("layer{}", i), shape.hidden[i], width, false);
    width = shape.hidden[i];
  }
  add(fmt::format("layer{}", shape.hidden.size()), shape.outputs, width, false);
}

}  // namespace hiple::engine
