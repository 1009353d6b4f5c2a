#include "scaling/strategy/chain.hpp"

#include <algorithm>

namespace hiple::scaling {

std::int64_t rows_at_a_time(const LayerPlace& layer) {
  constexpr std::int64_t numbers = std::int64_t{1} << 18;
  return std::max<std::int64_t>(1, numbers / layer.inputs);
}

}  // namespace hiple::scaling
