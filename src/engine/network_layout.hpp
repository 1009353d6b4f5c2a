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

/// A multilayer perceptron: dense inputs and embeddings side by side, hidden layers, a linear output layer.
struct NetworkShape {
  std::int64_t inputs = 0;  ///< dense numbers; may be 0 where there are embeddings
  std::vector<EmbeddingShape> embeddings;
  std::vector<std::int64_t> hidden;
  std::int64_t outputs = 0;
  Activation activation = Activation::relu;
  double dropout = 0.0;  ///< probability of dropping a hidden unit in training, [0, 1)

  /// Width of the first layer's input: dense, then the embeddings in their order.
  [[nodiscard]] std::int64_t first_width() const;
};

/// The part of the flat buffers that belongs to one layer: weight, then bias, each at a multiple of 64 bytes.
struct LayerSlice {
  std::string name;          ///< "embedding0", ..., "layer0", ..., the last one being the output layer
  std::size_t begin = 0;     ///< first number of the slice
  std::size_t size = 0;      ///< numbers in the slice, with the zeros that fill it up
  std::size_t weight = 0;    ///< first number of the weight [rows, columns], row by row
  std::int64_t rows = 0;     ///< a linear layer's outputs; an embedding's values + 1, row 0 being "missing"
  std::int64_t columns = 0;  ///< a linear layer's inputs; an embedding's width
  std::size_t bias = 0;      ///< first number of the bias [rows] of a linear layer
  bool embedding = false;    ///< an embedding has no bias
};

/// How a network's parameters lie in the flat buffers.
struct Layout {
  explicit Layout(const NetworkShape& shape);

  std::vector<LayerSlice> layers;  ///< embeddings, hidden layers, output layer; slices follow one another without gaps
  std::size_t size = 0;            ///< numbers in a flat buffer
  std::uint64_t parameters = 0;    ///< numbers that are trained: size without the filling zeros
};

}  // namespace hiple::engine
