#pragma once

#include <cstdint>

namespace hiple::engine {

/// The parameters of a linear layer, or their gradients, somewhere in a flat buffer: y = x weight^T + bias.
template <typename Number>
struct LinearView {
  Number* weight = nullptr;  ///< [outputs, inputs]
  Number* bias = nullptr;    ///< [outputs]
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
};

/// A matrix of activations or of their gradients, one case a row.
template <typename Number>
struct RowsView {
  Number* values = nullptr;
  std::int64_t stride = 0;  ///< numbers from row to row
};

/// A stride for rows of this width. Where the rows of a matrix are a multiple of 512 bytes apart, few sets of the cache hold
/// them all, and a product that reads the matrix by columns (a weight's gradient) loses a fifth of its speed: one more cache
/// line a row avoids that.
std::int64_t good_stride(std::int64_t width);

/// y [rows, outputs] = x [rows, inputs] weight^T, without the bias: what follows (activation, or add_bias) adds it.
void linear_forward(const LinearView<const float>& layer, RowsView<const float> x, RowsView<float> y, std::int64_t rows);

/// The gradient by the weight, from the gradient dy by y: weight = dy^T x. The bias's is a column sum of dy
/// (kernels_activation.hpp).
void linear_weight_gradient(const LinearView<float>& gradient, RowsView<const float> x, RowsView<const float> dy,
                            std::int64_t rows);

/// Numbers of scratch memory that linear_input_gradient() wants for a layer of this shape: 0 or a whole copy of the weight.
std::int64_t input_gradient_scratch(std::int64_t inputs, std::int64_t outputs);

/// The gradient by the inputs from column `first` on: dx [rows, inputs - first] = dy weight[:, first:]. `scratch` holds
/// input_gradient_scratch() numbers, which are overwritten; it may be null where that is 0.
void linear_input_gradient(const LinearView<const float>& layer, RowsView<const float> dy, RowsView<float> dx, std::int64_t rows,
                           float* scratch, std::int64_t first = 0);

/// A categorical input: row code + 1 of `table` [values + 1, width] for each case, row 0 being "missing".
struct EmbeddingView {
  const std::int32_t* codes = nullptr;  ///< one a case, `code_stride` apart
  std::int64_t code_stride = 1;
  std::int64_t width = 0;
  std::int64_t rows = 0;  ///< cases
};

/// Copies each case's row of `table` to `out`, `stride` numbers from case to case.
void embedding_forward(const EmbeddingView& embedding, const float* table, float* out, std::int64_t stride);

/// Adds each case's gradient to its row of `gradient`, in the order of the cases.
void embedding_gradient(const EmbeddingView& embedding, const float* dy, std::int64_t stride, float* gradient);

}  // namespace hiple::engine
