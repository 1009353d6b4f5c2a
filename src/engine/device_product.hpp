#pragma once

#include <cstdint>

namespace hiple::engine::device {

/// What a product does with its result besides writing it (names of cuBLASLt's epilogues in brackets).
enum class Epilogue {
  none,
  bias,            ///< adds a number to each row (BIAS)
  bias_relu,       ///< and takes what is over zero (RELU_BIAS)
  bias_relu_mask,  ///< and writes a bit for each number that is (RELU_AUX_BIAS)
  relu_gradient,   ///< is multiplied by such bits (DRELU)
  bias_gradient,   ///< besides, sums the rows of the second factor (BGRADB)
};

/// d [m, n] = op(a) [m, k] op(b) [k, n], column by column as cuBLAS has it; `stride`: numbers from column to column.
struct ProductShape {
  bool transposed_a = false, transposed_b = false;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t stride_a = 0, stride_b = 0, stride_d = 0;
  Epilogue epilogue = Epilogue::none;
  std::uint32_t alignment_a = 16;  ///< bytes; of the others 64

  /// Numbers, here bits, from column to column of a mask.
  [[nodiscard]] std::int64_t mask_stride() const { return (m + 127) / 128 * 128; }
  /// Bytes of a mask.
  [[nodiscard]] std::int64_t mask_bytes() const { return mask_stride() / 8 * n; }
};

/// What it works on.
struct ProductData {
  const float* a = nullptr;
  const float* b = nullptr;
  float* d = nullptr;
  float* bias = nullptr;  ///< read by `bias`..., written by `bias_gradient`
  void* mask = nullptr;
};

// y [rows, outputs] = x [rows, inputs] weight [outputs, inputs]^T, and the gradients, where all matrices lie row by row.

inline ProductShape forward_product(std::int64_t inputs, std::int64_t outputs, std::int64_t rows, Epilogue epilogue) {
  return {true, false, outputs, rows, inputs, inputs, inputs, outputs, epilogue, 64};
}

/// a: x, b: dy, d: the weight's gradient, bias: the bias's.
inline ProductShape weight_gradient_product(std::int64_t inputs, std::int64_t outputs, std::int64_t rows) {
  return {false, true, inputs, outputs, rows, inputs, outputs, inputs, Epilogue::bias_gradient, 64};
}

/// a: the weight from column `first` on, b: dy, d: dx [rows, inputs - first].
inline ProductShape input_gradient_product(std::int64_t inputs, std::int64_t outputs, std::int64_t rows, std::int64_t first,
                                           Epilogue epilogue) {
  const auto aligned = static_cast<std::uint32_t>(first % 16 == 0 ? 64 : first % 4 == 0 ? 16 : first % 2 == 0 ? 8 : 4);
  return {false, false, inputs - first, rows, outputs, inputs, outputs, inputs - first, epilogue, aligned};
}

}  // namespace hiple::engine::device
