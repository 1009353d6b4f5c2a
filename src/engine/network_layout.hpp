#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hiple::engine {

enum class Activation { relu, gelu, tanh };

/// "relu", "gelu" (by the error function, not its approximation), "tanh". Throws Error for another name.
Activation parse_activation(std::string_view name);

/// A categorical input: each of its values, and "missing", has a row of `width` numbers.
struct EmbeddingShape {
  std::int64_t values = 0;
  std::int64_t width = 0;
};

/// A convolution along a series: `channels` numbers from each `kernel` points, every `stride` points, as long as they all lie
/// inside.
struct ConvolutionShape {
  std::int64_t channels = 0;
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
};

/// What becomes of the places of the last convolution: their mean, their largest number, both one after the other, or all of
/// them side by side.
enum class Pool { mean, max, mean_max, none };

/// "mean", "max", "mean_max", "none". Throws Error for another name.
Pool parse_pool(std::string_view name);

/// The part of a network that reads a series: `channels` numbers at each of `length` points, convolutions, pooling.
struct SeriesShape {
  std::int64_t channels = 0;  ///< 0: the network reads no series
  std::int64_t length = 0;
  std::vector<ConvolutionShape> convolutions = {};
  Pool pool = Pool::mean;

  [[nodiscard]] bool empty() const { return channels == 0; }
  [[nodiscard]] std::int64_t numbers() const { return channels * length; }
  /// Places that are left by the first `count` convolutions, 0 where one of them finds fewer than its kernel, and the numbers at
  /// each.
  [[nodiscard]] std::int64_t places_after(std::size_t count) const;
  [[nodiscard]] std::int64_t channels_after(std::size_t count) const;
  /// Numbers that the first linear layer gets.
  [[nodiscard]] std::int64_t pooled() const;
};

/// A multilayer perceptron: dense inputs, embeddings and what becomes of a series side by side, hidden layers, a linear output
/// layer.
struct NetworkShape {
  std::int64_t inputs = 0;  ///< dense numbers; may be 0 where there are embeddings or a series
  std::vector<EmbeddingShape> embeddings;
  std::vector<std::int64_t> hidden;
  std::int64_t outputs = 0;
  Activation activation = Activation::relu;
  double dropout = 0.0;     ///< probability of dropping a hidden unit in training, [0, 1); convolutions keep theirs
  SeriesShape series = {};  ///< its activation is that of the hidden layers

  /// Dense numbers of an example: the inputs, then the series point after point.
  [[nodiscard]] std::int64_t dense_width() const { return inputs + series.numbers(); }
  /// Width of the first linear layer's input: the inputs, the embeddings in their order, the pooled series.
  [[nodiscard]] std::int64_t first_width() const;
};

/// The part of the flat buffers that belongs to one layer: weight, then bias, each at a multiple of 64 bytes.
struct LayerSlice {
  std::string name;          ///< "embedding0", ..., "convolution0", ..., "layer0", ..., the last one being the output layer
  std::size_t begin = 0;     ///< first number of the slice
  std::size_t size = 0;      ///< numbers in the slice, with the zeros that fill it up
  std::size_t weight = 0;    ///< first number of the weight [rows, columns], row by row
  std::int64_t rows = 0;     ///< a layer's outputs, a convolution's channels; an embedding's values + 1, row 0 being "missing"
  std::int64_t columns = 0;  ///< a layer's inputs; a convolution's kernel times the channels below it; an embedding's width
  std::size_t bias = 0;      ///< first number of the bias [rows] of a layer
  bool embedding = false;    ///< an embedding has no bias
  std::int64_t kernel = 1;   ///< points that a convolution reads: weight [rows, kernel, channels below]
};

/// How a network's parameters lie in the flat buffers.
struct Layout {
  explicit Layout(const NetworkShape& shape);

  std::vector<LayerSlice>
      layers;            ///< embeddings, convolutions, hidden layers, output layer; slices follow one another without gaps
  std::size_t size = 0;  ///< numbers in a flat buffer
  std::uint64_t parameters = 0;  ///< numbers that are trained: size without the filling zeros
};

}  // namespace hiple::engine
