#include "engine/network.hpp"

#include <cmath>
#include <utility>

#include "engine/kernels_dropout.hpp"

namespace hiple::engine {
namespace {

double initial_deviation(const LayerSlice& layer, bool output, Activation activation) {
  if (layer.embedding) return 1.0;
  const auto inputs = static_cast<double>(layer.columns), outputs = static_cast<double>(layer.rows * layer.kernel);
  const bool glorot = output || activation == Activation::tanh;
  return std::sqrt(2.0 / (glorot ? inputs + outputs : inputs));
}

}  // namespace

Network::Network(NetworkShape shape)
    : shape_(std::move(shape)), layout_(shape_), parameters_(layout_.size), gradients_(layout_.size) {}

void Network::initialise(const Philox& generator) {
  for (std::size_t i = 0; i < layout_.layers.size(); ++i) {
    const LayerSlice& layer = layout_.layers[i];
    const double deviation = initial_deviation(layer, i + 1 == layout_.layers.size(), shape_.activation);
    PhiloxStream stream(generator, 0, 0, initial_use + static_cast<std::uint32_t>(i));
    const auto count = static_cast<std::size_t>(layer.rows * layer.columns);
    for (std::size_t k = 0; k < count; ++k) {
      parameters_.data()[layer.weight + k] = static_cast<float>(deviation * stream.next_normal());
    }
    if (!layer.embedding) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(layer.rows); ++k) parameters_.data()[layer.bias + k] = 0.0F;
    }
  }
}

}  // namespace hiple::engine
