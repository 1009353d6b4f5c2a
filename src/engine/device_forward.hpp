#pragma once

#include <utility>
#include <vector>

#include "engine/device_bodies.hpp"
#include "engine/device_product.hpp"
#include "engine/kernels_dropout.hpp"
#include "engine/stepper.hpp"

namespace hiple::engine::device {

/// Numbers of a matrix, filled up to whole groups of a dropout mask.
inline std::size_t filled_up(std::int64_t rows, std::int64_t width) {
  return (static_cast<std::size_t>(rows * width) + mask_group - 1) / mask_group * mask_group;
}

/// Samples in a device's memory.
template <class Platform>
struct ResidentSamples {
  explicit ResidentSamples(Platform& platform, const Samples& samples)
      : dense(platform.copy_of(samples.inputs.dense)),
        codes(platform.copy_of(samples.inputs.codes)),
        labels(platform.copy_of(samples.labels)),
        numbers(platform.copy_of(samples.numbers)),
        weights(platform.copy_of(samples.weights)) {}

  [[nodiscard]] Table table(const std::uint32_t* order) const {
    return {dense.data(), codes.data(), labels.data(), numbers.data(), weights.data(), order};
  }

  typename Platform::template Array<float> dense;
  typename Platform::template Array<std::int32_t> codes, labels;
  typename Platform::template Array<float> numbers, weights;
};

/// Where the learned columns of a network's input come from, in a device's memory.
template <class Platform>
struct Embeddings {
  Embeddings(Platform& platform, const NetworkShape& shape, const Layout& layout) {
    std::vector<EmbeddedColumn> all;
    std::vector<std::uint32_t> each;
    all.reserve(static_cast<std::size_t>(shape.first_width() - shape.inputs));
    each.reserve(shape.embeddings.size());
    for (std::size_t i = 0; i < shape.embeddings.size(); ++i) {
      const auto width = static_cast<std::uint32_t>(shape.embeddings[i].width);
      for (std::uint32_t column = 0; column < width; ++column)
        all.push_back({layout.layers[i].weight, static_cast<std::uint32_t>(i), width, column});
      each.push_back(static_cast<std::uint32_t>(layout.layers[i].rows));
      largest = std::max(largest, static_cast<std::size_t>(layout.layers[i].rows));
    }
    learned = static_cast<std::uint32_t>(all.size());
    columns = platform.copy_of(all);
    lines = platform.copy_of(each);
  }

  typename Platform::template Array<EmbeddedColumn> columns;
  typename Platform::template Array<std::uint32_t> lines;
  std::uint32_t learned = 0;
  std::size_t largest = 0;  ///< lines of the largest table
};

/// The layers of a network for `batch` rows: what they compute, and how. Training keeps what the way back needs: the slopes of
/// the activations, or, where ReLU without dropout lets the product itself do it, a bit for each unit that is on.
template <class Platform>
class Forward {
 public:
  Forward(Platform& platform, const NetworkShape& shape, const Layout& layout, std::int64_t rows, bool training)
      : shape_(shape), layout_(layout), rows_(rows), training_(training), dropout_(training ? shape.dropout : 0.0) {
    input = platform.template array<float>(filled_up(rows, shape.first_width()));
    const std::size_t below = shape.embeddings.size();
    layers.reserve(layout.layers.size() - below);
    for (std::size_t i = below; i < layout.layers.size(); ++i) {
      const LayerSlice& slice = layout.layers[i];
      const bool output = i + 1 == layout.layers.size();
      Layer layer;
      layer.values = platform.template array<float>(filled_up(rows, slice.rows));
      const ProductShape product = forward_product(slice.columns, slice.rows, rows, output ? Epilogue::bias : hidden_epilogue());
      if (!output && training && !fused()) layer.slope = platform.template array<float>(filled_up(rows, slice.rows));
      if (product.epilogue == Epilogue::bias_relu_mask)
        layer.mask = platform.template array<std::uint8_t>(static_cast<std::size_t>(product.mask_bytes()));
      layer.product = platform.product(product);
      layers.push_back(std::move(layer));
    }
  }

  /// Whether the product does the activation.
  [[nodiscard]] bool fused() const { return shape_.activation == Activation::relu && !dropout_.active(); }

  /// All of it, for the current step.
  void run(Platform& platform, const Current& current, const Table& table, const Embeddings<Platform>& embeddings,
           float* parameters, Philox::Key key) {
    const auto width = static_cast<std::size_t>(shape_.first_width());
    platform.for_each(
        static_cast<std::size_t>(rows_) * width,
        GatherInput{current, table, parameters, embeddings.columns.data(), static_cast<std::uint32_t>(shape_.inputs),
                    embeddings.learned, static_cast<std::uint32_t>(shape_.embeddings.size()), input.data()});
    const float* x = input.data();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      Layer& layer = layers[i];
      const LayerSlice& slice = layout_.layers[shape_.embeddings.size() + i];
      platform.multiply(layer.product,
                        {parameters + slice.weight, x, layer.values.data(), parameters + slice.bias, layer.mask.data()});
      if (i + 1 < layers.size() && !fused()) activate(platform, current, layer, i, key);
      x = layer.values.data();
    }
  }

  struct Layer {
    typename Platform::Product product;
    typename Platform::template Array<float> values;       ///< [rows, outputs]
    typename Platform::template Array<float> slope;        ///< [rows, outputs], or nothing
    typename Platform::template Array<std::uint8_t> mask;  ///< or nothing
  };
  typename Platform::template Array<float> input;  ///< [rows, first_width()]
  std::vector<Layer> layers;

 private:
  [[nodiscard]] Epilogue hidden_epilogue() const {
    if (!fused()) return Epilogue::bias;
    return training_ ? Epilogue::bias_relu_mask : Epilogue::bias_relu;
  }

  void activate(Platform& platform, const Current& current, Layer& layer, std::size_t index, Philox::Key key) {
    const std::size_t numbers = layer.values.size();
    if (!dropout_.active())
      return platform.for_each(numbers / 4, Activate{shape_.activation, layer.values.data(), layer.slope.data()});
    const auto use = dropout_use + static_cast<std::uint32_t>(shape_.embeddings.size() + index);
    platform.for_each(numbers / masked_at_once,
                      ActivateMasked{current, shape_.activation, key[0], key[1], use, dropout_.threshold(), dropout_.scale(),
                                     layer.values.data(), layer.slope.data()});
  }

  NetworkShape shape_;
  Layout layout_;
  std::int64_t rows_;
  bool training_;
  Dropout dropout_;
};

/// The loss of the current step's rows, and its gradient by the outputs.
template <class Platform>
void compute_loss(Platform& platform, const Current& current, const Table& table, const float* outputs, std::int64_t width,
                  bool regression, std::size_t rows, float* gradient, double* losses) {
  if (regression) {
    platform.for_each(rows, SquaredError{current, table, outputs, rows, gradient, losses});
  } else {
    platform.for_each(rows, CrossEntropy{current, table, outputs, static_cast<std::uint32_t>(width), rows, gradient, losses});
  }
}

}  // namespace hiple::engine::device
