#pragma once

#include "scaling/micro/samples.hpp"

namespace hiple::scaling {

/// Rate of the engines' matrix product in one thread: square matrices of `sizes` rows.
Series product_series(const std::vector<std::int64_t>& sizes, const Effort& effort);

}  // namespace hiple::scaling
