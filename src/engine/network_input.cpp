#include "engine/network_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace hiple::engine {
namespace {

std::size_t checked_batch(std::int64_t batch) {
  if (batch <= 0) throw Error(fmt::format("a batch of {} rows is not positive", batch));
  return static_cast<std::size_t>(batch);
}

}  // namespace

NetworkInput::NetworkInput(const NetworkShape& shape, std::int64_t batch)
    : shape_(shape),
      batch_(batch),
      width_(shape.first_width()),
      values_(checked_batch(batch) * static_cast<std::size_t>(width_)),
      points_(checked_batch(batch) * static_cast<std::size_t>(shape.series.numbers())),
      codes_(checked_batch(batch) * shape.embeddings.size()) {}

void NetworkInput::load(const Examples& examples, std::span<const std::uint32_t> rows) {
  if (rows.empty() || rows.size() > static_cast<std::size_t>(batch_)) {
    throw Error(fmt::format("{} rows do not fit a batch of {}", rows.size(), batch_));
  }
  const auto inputs = static_cast<std::size_t>(shape_.inputs), points = static_cast<std::size_t>(shape_.series.numbers());
  const std::size_t dense = inputs + points, categories = shape_.embeddings.size();
  const std::size_t held = dense > 0 ? examples.dense.size() / dense : examples.codes.size() / categories;
  if (examples.dense.size() != held * dense || examples.codes.size() != held * categories) {
    throw Error("a table of examples does not have the network's shape");
  }
  rows_ = 0;
  float* target = values_.data();
  float* series = points_.data();
  std::int32_t* codes = codes_.data();
  for (const std::uint32_t row : rows) {
    if (row >= held) throw Error(fmt::format("row {} is not in a table of {} examples", row, held));
    const float* source = examples.dense.data() + row * dense;
    std::copy_n(source, inputs, target);
    std::copy_n(source + inputs, points, series);
    load_codes(examples, row, codes);
    target += width_;
    series += points;
    codes += categories;
  }
  rows_ = static_cast<std::int64_t>(rows.size());
}

void NetworkInput::load_codes(const Examples& examples, std::uint32_t row, std::int32_t* target) const {
  const std::int32_t* source = examples.codes.data() + row * shape_.embeddings.size();
  for (const EmbeddingShape& embedding : shape_.embeddings) {
    if (*source < -1 || *source >= embedding.values) {
      throw Error(fmt::format("code {} of example {} is not in -1 .. {}", *source, row, embedding.values - 1));
    }
    *target++ = *source++;
  }
}

EmbeddingView NetworkInput::view(std::size_t index, std::int64_t rows) const {
  return {.codes = codes_.data() + index,
          .code_stride = static_cast<std::int64_t>(shape_.embeddings.size()),
          .width = shape_.embeddings[index].width,
          .rows = rows};
}

std::int64_t NetworkInput::embedding_offset(std::size_t index) const {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < index; ++i) offset += shape_.embeddings[i].width;
  return offset;
}

void NetworkInput::embed(std::size_t index, const float* table, std::int64_t rows) {
  embedding_forward(view(index, rows), table, values_.data() + shape_.inputs + embedding_offset(index), width_);
}

void NetworkInput::add_gradient(std::size_t index, const float* dy, float* gradient) const {
  embedding_gradient(view(index, rows_), dy + embedding_offset(index), learned_width(), gradient);
}

}  // namespace hiple::engine
