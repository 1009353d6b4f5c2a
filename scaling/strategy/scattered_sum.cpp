#include "scaling/strategy/moving.hpp"
#include "scaling/strategy/pending.hpp"

namespace hiple::scaling {

ScatteredSum::ScatteredSum(Communicator& communicator, std::size_t largest)
    : communicator_(&communicator), pending_(communicator, 1) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const std::size_t part = (largest + ranks - 1) / ranks;
  received_ = Numbers(part * (ranks - 1));
  sent_.counts.resize(ranks);
  from_.counts.resize(ranks);
  from_.places.resize(ranks);
  sent_.places.resize(ranks);
}

void ScatteredSum::start(std::span<const float> values, const Parts& parts) {
  const auto self = static_cast<std::size_t>(communicator_->rank());
  const int own = parts.counts[self];
  sent_ = parts;
  sent_.counts[self] = 0;
  int place = 0;
  for (std::size_t i = 0; i < from_.counts.size(); ++i) {
    from_.counts[i] = i == self ? 0 : own;
    from_.places[i] = place;
    place += from_.counts[i];
  }
  pending_.exchange(values, sent_, {received_.data(), static_cast<std::size_t>(place)}, from_);
}

void ScatteredSum::finish(std::span<float> own) {
  pending_.wait();
  const Communicator::Timer timer(*communicator_);
  add_parts(own, {received_.data(), received_.size()}, from_);
}

}  // namespace hiple::scaling
