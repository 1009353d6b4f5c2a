#include "engine/layer.hpp"

#include <algorithm>

#include "engine/kernels_product.hpp"

namespace hiple::engine {

void linear_forward(const LinearView<const float>& layer, const float* x, float* y, std::int64_t rows) {
  product({.values = x, .stride = layer.inputs}, {.values = layer.weight, .stride = layer.inputs, .operand = Operand::transposed},
          y, layer.outputs, rows, layer.outputs, layer.inputs);
}

void linear_weight_gradient(const LinearView<float>& gradient, const float* x, const float* dy, std::int64_t rows) {
  product({.values = dy, .stride = gradient.outputs, .operand = Operand::transposed}, {.values = x, .stride = gradient.inputs},
          gradient.weight, gradient.inputs, gradient.outputs, gradient.inputs, rows);
}

void linear_input_gradient(const LinearView<const float>& layer, const float* dy, float* dx, std::int64_t rows,
                           std::int64_t first) {
  const std::int64_t width = layer.inputs - first;
  product({.values = dy, .stride = layer.outputs}, {.values = layer.weight + first, .stride = layer.inputs}, dx, width, rows,
          width, layer.outputs);
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
