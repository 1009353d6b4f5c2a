#pragma once

#include <cstdint>
#include <span>

#include "engine/kernels_buffer.hpp"
#include "engine/layer.hpp"
#include "engine/network.hpp"

namespace hiple::engine {

/// The first linear layer's input for up to `batch` cases: dense numbers, then the embeddings, then room for what becomes of the
/// series, side by side; and the series.
class NetworkInput {
 public:
  NetworkInput(const NetworkShape& shape, std::int64_t batch);

  /// Copies the examples of these rows. Throws Error: none, more than the batch, a row or a code out of range, buffers that
  /// are no whole number of rows.
  void load(const Examples& examples, std::span<const std::uint32_t> rows);

  /// Fills in embedding `index` from its table.
  void embed(std::size_t index, const float* table, std::int64_t rows);

  /// Adds the embeddings' part of the gradient by what is learned of the input [rows, learned_width()] to the gradient of table
  /// `index`.
  void add_gradient(std::size_t index, const float* dy, float* gradient) const;

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t learned_width() const { return width_ - shape_.inputs; }
  [[nodiscard]] const float* values() const { return values_.data(); }
  /// The series [rows, length, channels].
  [[nodiscard]] const float* points() const { return points_.data(); }
  /// Where the pooled series belongs, for each row.
  [[nodiscard]] RowsView<float> pooled() { return {values_.data() + width_ - shape_.series.pooled(), width_}; }
  /// The same part of the gradient by what is learned of the input.
  [[nodiscard]] RowsView<const float> pooled_gradient(const float* dy) const {
    return {dy + learned_width() - shape_.series.pooled(), learned_width()};
  }

 private:
  [[nodiscard]] EmbeddingView view(std::size_t index, std::int64_t rows) const;
  [[nodiscard]] std::int64_t embedding_offset(std::size_t index) const;
  void load_codes(const Examples& examples, std::uint32_t row, std::int32_t* target) const;

  NetworkShape shape_;
  std::int64_t batch_, width_, rows_ = 0;
  Buffer<float> values_;        // [batch, width]
  Buffer<float> points_;        // [batch, length, channels]
  Buffer<std::int32_t> codes_;  // [batch, categories]
};

}  // namespace hiple::engine
