#include "gate/resample.hpp"

#include <algorithm>
#include <vector>

#include "base/philox.hpp"

namespace hiple::gate {

Resampled resample(const std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>& units, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
  all.reserve(units.size());
  std::uint64_t whole_count = 0, whole = 0;
  for (const auto& [unit, counts] : units) {
    all.push_back(counts);
    whole_count += counts.first;
    whole += counts.second;
  }
  if (whole_count == 0 || whole_count == whole) return {};
  constexpr std::uint64_t most_draws = 200'000'000;
  const std::uint64_t resamples = std::clamp<std::uint64_t>(most_draws / all.size(), 200, 2000);
  const Philox generator(seed, "gates pairs");
  std::vector<double> ratios;
  ratios.reserve(resamples);
  for (std::uint32_t i = 0; i < resamples; ++i) {
    PhiloxStream stream(generator, i, 0, 0);
    std::uint64_t count = 0, n = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& [some, of] = all[stream.next_below(static_cast<std::uint32_t>(all.size()))];
      count += some;
      n += of;
    }
    ratios.push_back(static_cast<double>(count) / static_cast<double>(n));
  }
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double share) { return ratios[static_cast<std::size_t>(share * static_cast<double>(resamples - 1))]; };
  return {at(0.05), at(0.95), resamples};
}

}  // namespace hiple::gate
