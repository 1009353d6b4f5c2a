#include "scaling/measure/planted_batches.hpp"

#include <algorithm>

#include "scaling/measure/planted_data.hpp"

namespace hiple::scaling {

std::uint64_t table_batches(std::uint64_t steps, std::uint64_t batch, std::uint64_t inputs) {
  constexpr std::uint64_t numbers = std::uint64_t{1} << 22;
  return std::clamp<std::uint64_t>(numbers / (batch * inputs), 1, std::max<std::uint64_t>(steps, 1));
}

PlantedBatches::PlantedBatches(std::int64_t inputs, std::int64_t classes, std::uint64_t seed, const Share& share)
    : batches_(table_batches(share.steps, share.batch, static_cast<std::uint64_t>(inputs))),
      rows_(share.rows),
      dense_(batches_ * share.rows * static_cast<std::size_t>(inputs)),
      labels_(batches_ * share.rows) {
  const auto width = static_cast<std::size_t>(inputs);
  const PlantedData data(seed, share.name, width, static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const std::uint64_t index = i / share.rows * share.batch + share.first_row + i % share.rows;
    labels_[i] = data.example(index, std::span(dense_).subspan(i * width, width));
  }
}

}  // namespace hiple::scaling
