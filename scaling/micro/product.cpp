#include "scaling/micro/product.hpp"

#include <algorithm>

#include "engine/kernels_buffer.hpp"
#include "engine/kernels_product.hpp"

namespace hiple::scaling {

Series product_series(const std::vector<std::int64_t>& sizes, const Effort& effort) {
  engine::use_threads(1);
  engine::prepare_products();
  Series series{"product", "square matrices multiplied by the engines' kernel, single precision", "rows", "flop/s", {}};
  for (const std::int64_t size : sizes) {
    engine::Buffer<float> a(static_cast<std::size_t>(size * size)), b(a.size()), c(a.size());
    std::fill_n(a.data(), a.size(), 0.5F);
    std::fill_n(b.data(), b.size(), 0.25F);
    const auto call = [&] { engine::product({a.data(), size}, {b.data(), size}, c.data(), size, size, size, size); };
    const double operations = 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
    series.points.push_back({.size = size, .work = operations, .seconds = time_calls(effort, call)});
  }
  return series;
}

}  // namespace hiple::scaling
