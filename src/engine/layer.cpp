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

void linear_input_gradient(const LinearView<const float>& layer, RowsView<const float> dy, RowsView<float> dx, std::int64_t rows,
                           std::int64_t first) {
  product({.values = dy.values, .stride = dy.stride}, {.values = layer.weight + first, .stride = layer.inputs}, dx.values,
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
