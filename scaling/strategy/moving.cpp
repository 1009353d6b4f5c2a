#include "scaling/strategy/moving.hpp"

#include <algorithm>

namespace hiple::scaling {

void pack(Rows rows, std::int64_t count, std::int64_t width, float* target) {
  for (std::int64_t i = 0; i < count; ++i) std::copy_n(rows.values + i * rows.stride, width, target + i * width);
}

void unpack(const float* source, std::int64_t count, std::int64_t width, Rows rows) {
  for (std::int64_t i = 0; i < count; ++i) std::copy_n(source + i * width, width, rows.values + i * rows.stride);
}

void clear(std::span<float> values) { std::ranges::fill(values, 0.0F); }

void add_parts(std::span<float> own, std::span<const float> received, const Parts& parts) {
  for (std::size_t rank = 0; rank < parts.counts.size(); ++rank) {
    const Range part = parts.of(static_cast<int>(rank));
    for (std::size_t i = 0; i < part.size; ++i) own[i] += received[part.begin + i];
  }
}

}  // namespace hiple::scaling
