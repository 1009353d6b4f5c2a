#include "scaling/strategy/chain.hpp"

#include <algorithm>

namespace hiple::scaling {

std::int64_t rows_at_a_time(const LayerPlace& layer) {
  constexpr std::int64_t numbers = std::int64_t{1} << 18;
  return std::max<std::int64_t>(1, numbers / layer.inputs);
}

void pack(Rows rows, std::int64_t count, std::int64_t width, float* target) {
  for (std::int64_t i = 0; i < count; ++i) std::copy_n(rows.values + i * rows.stride, width, target + i * width);
}

void unpack(const float* source, std::int64_t count, std::int64_t width, Rows rows) {
  for (std::int64_t i = 0; i < count; ++i) std::copy_n(source + i * width, width, rows.values + i * rows.stride);
}

}  // namespace hiple::scaling
