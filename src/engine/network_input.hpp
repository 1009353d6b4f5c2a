#pragma once

#include <cstdint>
#include <span>

#include "engine/kernels_buffer.hpp"
#include "engine/layer.hpp"
#include "engine/network.hpp"

namespace hiple::engine {

/// The first layer's input for up to `batch` cases: dense numbers, then the embeddings, side by side.
class NetworkInput {
 public:
  NetworkInput(const NetworkShape& shape, std::int64_t batch);

  /// Copies the examples of these rows. Throws Error: none, more than the batch, a row or a code out of range, buffers that
  /// are no whole number of rows.
  void load(const Examples& examples, std::span<const std::uint32_t> rows);

  /// Fills in embedding `index` from its table.
  void embed(std::size_t index, const float* table, std::int64_t rows);

  /// Adds the gradient by the embeddings' part of the input [rows, embedded_width()] to the gradient of table `index`.
  void add_gradient(std::size_t index, const float* dy, float* gradient) const;

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t embedded_width() const { return width_ - shape_.inputs; }
  [[nodiscard]] const float* values() const { return values_.data(); }

 private:
  [[nodiscard]] EmbeddingView view(std::size_t index, std::int64_t rows) const;
  [[nodiscard]] std::int64_t embedding_offset(std::size_t index) const;
  void load_codes(const Examples& examples, std::uint32_t row, std::int32_t* target) const;

  NetworkShape shape_;
  std::int64_t batch_, width_, rows_ = 0;
  Buffer<float> values_;        // [batch, width]
  Buffer<std::int32_t> codes_;  // [batch, categories]
};

}  // namespace hiple::engine
