#include "scaling/strategy/stages.hpp"

#include <algorithm>
#include <limits>

namespace hiple::scaling {

std::vector<Stage> cut_into_stages(const std::vector<std::int64_t>& widths, std::size_t stages) {
  const std::size_t layers = widths.size() - 1;
  std::vector<double> before(layers + 1);  // multiplications of the layers before one
  for (std::size_t i = 0; i < layers; ++i)
    before[i + 1] = before[i] + static_cast<double>(widths[i]) * static_cast<double>(widths[i + 1]);
  // best[k][end]: largest stage, where k stages take the layers before `end`; cut[k][end]: the last of them begins there.
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector best(stages + 1, std::vector<double>(layers + 1, none));
  std::vector cut(stages + 1, std::vector<std::size_t>(layers + 1));
  best[0][0] = 0;
  for (std::size_t k = 1; k <= stages; ++k) {
    for (std::size_t end = k; end <= layers; ++end) {
      for (std::size_t begin = k - 1; begin < end; ++begin) {
        const double largest = std::max(best[k - 1][begin], before[end] - before[begin]);
        if (largest >= best[k][end]) continue;
        best[k][end] = largest;
        cut[k][end] = begin;
      }
    }
  }
  std::vector<Stage> result(stages);
  std::size_t end = layers;
  for (std::size_t k = stages; k > 0; --k) {
    result[k - 1] = {cut[k][end], end};
    end = cut[k][end];
  }
  return result;
}

}  // namespace hiple::scaling
