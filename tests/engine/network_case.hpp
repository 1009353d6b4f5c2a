#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/philox.hpp"
#include "engine/kernels_dropout.hpp"
#include "engine/network.hpp"
#include "reference_network.hpp"

namespace hiple::engine {

/// The dropout factor of unit i by the words of Dropout::fill's comment, one at a time.
inline double dropout_factor(const Philox& generator, double probability, std::uint32_t epoch, std::uint32_t step,
                             std::uint32_t use, std::uint32_t i) {
  const auto block = generator.block({epoch, step, use, 16 * (i / 128) + i % 16});
  const std::uint32_t half = i / 16 % 8;
  const std::uint32_t bits = (block[half / 2] >> (16 * (half % 2))) & 0xFFFFU;
  const auto threshold = static_cast<std::uint32_t>(probability * 65536.0 + 0.5);
  return bits < threshold ? 0.0 : 65536.0 / (65536.0 - threshold);
}

/// A network with random parameters and a batch for it, and the same for the reference.
struct NetworkCase {
  NetworkCase(const NetworkShape& shape, std::size_t batch_rows) : network(shape), reference(shape) {
    network.initialise(generator);
    PhiloxStream stream(generator, 0, 0, 1);
    // Biases too, so that they count.
    for (const LayerSlice& layer : network.layout().layers) {
      for (std::int64_t i = 0; !layer.embedding && i < layer.rows; ++i) {
        network.parameters()[layer.bias + static_cast<std::size_t>(i)] = static_cast<float>(0.3 * stream.next_normal());
      }
    }
    for (std::size_t i = 0; i < batch_rows * static_cast<std::size_t>(shape.dense_width()); ++i) {
      dense.push_back(static_cast<float>(stream.next_normal()));
    }
    for (std::size_t row = 0; row < batch_rows; ++row) {
      for (const EmbeddingShape& embedding : shape.embeddings) {
        codes.push_back(static_cast<std::int32_t>(stream.next_below(static_cast<std::uint32_t>(embedding.values) + 1)) - 1);
      }
    }
    rows.resize(batch_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    const auto parameters = std::as_const(network).parameters();
    reference.parameters.assign(parameters.begin(), parameters.end());
  }

  [[nodiscard]] Examples examples() const { return {.dense = dense, .codes = codes}; }

  /// The batch for the reference, with the masks of (epoch, step) where the network drops units.
  [[nodiscard]] reference::Network::Batch reference_batch(std::uint32_t epoch, std::uint32_t step) const {
    reference::Network::Batch batch{.rows = rows.size(), .dense = {dense.begin(), dense.end()}, .codes = codes, .factors = {}};
    const NetworkShape& shape = network.shape();
    for (std::size_t i = 0; shape.dropout > 0 && i < shape.hidden.size(); ++i) {
      const auto use = dropout_use + static_cast<std::uint32_t>(shape.embeddings.size() + shape.series.convolutions.size() + i);
      std::vector<double> factors(rows.size() * static_cast<std::size_t>(shape.hidden[i]));
      for (std::uint32_t k = 0; k < factors.size(); ++k) {
        factors[k] = dropout_factor(generator, shape.dropout, epoch, step, use, k);
      }
      batch.factors.push_back(std::move(factors));
    }
    return batch;
  }

  Philox generator = Philox(7, "case");
  Network network;
  reference::Network reference;
  std::vector<float> dense;
  std::vector<std::int32_t> codes;
  std::vector<std::uint32_t> rows;
};

inline const NetworkShape& small_shape() {
  static const NetworkShape shape{.inputs = 5,
                                  .embeddings = {{.values = 3, .width = 2}, {.values = 4, .width = 3}},
                                  .hidden = {13, 9},
                                  .outputs = 4,
                                  .activation = Activation::relu,
                                  .dropout = 0.0};
  return shape;
}

/// The same with three series of 11 points, of which two convolutions leave 3 places.
inline NetworkShape small_series_shape() {
  NetworkShape shape = small_shape();
  shape.series = {.channels = 3,
                  .length = 11,
                  .convolutions = {{.channels = 6, .kernel = 4, .stride = 1}, {.channels = 5, .kernel = 3, .stride = 2}},
                  .pool = Pool::mean_max};
  return shape;
}

}  // namespace hiple::engine
