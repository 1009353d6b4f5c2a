#include "engine/layer.hpp"

#include <algorithm>

#include "engine/kernels_product.hpp"

namespace hiple::engine {

std::int64_t good_stride(std::int64_t width) { return width % 128 == 0 ? width + 16 : width; }

void linear_forward(const LinearView<const float>& layer, RowsView<const float> x, RowsView<float> y, std::int64_t rows) {
  product({.values = x.values, .stride = x.stride},
          {.values = layer.weight, .stride = layer.inputs, .operand = Operand::transposed}, y.values, y.stride, rows,
          layer.outputs, layer.inputs);
}

void linear_weight_gradient(const LinearView<float>& gradient, RowsView<const float> x, RowsView<const float> dy,
                            std::int64_t rows) {
  product({.values = dy.values, .stride = dy.stride, .operand = Operand::transposed}, {.values = x.values, .stride = x.stride},
          gradient.weight, gradient.inputs, gradient.outputs, gradient.inputs, rows);
}

// oneDNN reads a plain second factor where it lies unless it is large, and then the distance of its rows counts: from 57 to 86
// GFLOP/s at [512, 512] for a copy that costs half a hundredth of the product. Beyond `largest` it makes a copy of its own.
std::int64_t input_gradient_scratch(std::int64_t inputs, std::int64_t outputs) {
  constexpr std::int64_t largest = 512;
  return inputs <= largest && good_stride(inputs) != inputs ? good_stride(inputs) * outputs : 0;
}

void linear_input_gradient(const LinearView<const float>& layer, RowsView<const float> dy, RowsView<float> dx, std::int64_t rows,
                           float* scratch, std::int64_t first) {
  RowsView<const float> weight{layer.weight, layer.inputs};
  if (input_gradient_scratch(layer.inputs, layer.outputs) > 0) {
    weight = {scratch, good_stride(layer.inputs)};
    for (std::int64_t row = 0; row < layer.outputs; ++row)
      std::copy_n(layer.weight + row * layer.inputs, layer.inputs, scratch + row * weight.stride);
  }
  product({.values = dy.values, .stride = dy.stride}, {.values = weight.values + first, .stride = weight.stride}, dx.values,
          dx.stride, rows, layer.inputs - first, layer.outputs);
}

void embedding_forward(const EmbeddingView& embedding, const float* table, float* out, std::int64_t stride) {
  for (std::int64_t i = 0; i < embedding.rows; ++i) {
    const std::int64_t row = std::int64_t{embedding.codes[i * embedding.code_stride]} + 1;
    std::copy_n(table + row * embedding.width, embedding.width, out + i * stride);
  }
}

void embedding_gradient(const EmbeddingView& embedding, const float* dy, std::int64_t stride, float* gradient) {
  for (std::int64_t i = 0; i < embedding.rows; ++i) {
    const std::int64_t row = std::int64_t{embedding.codes[i * embedding.code_stride]} + 1;
    for (std::int64_t k = 0; k < embedding.width; ++k) gradient[row * embedding.width + k] += dy[i * stride + k];
  }
}

}  // namespace hiple::engine
