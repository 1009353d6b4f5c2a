#include "scaling/strategy/outer_optimizer.hpp"

#include <algorithm>

namespace hiple::scaling {

OuterOptimizer::OuterOptimizer(std::size_t numbers) : outer_(numbers), velocity_(numbers) {}

void OuterOptimizer::reset(std::span<const float> parameters) {
  std::ranges::copy(parameters, outer_.data());
  std::fill_n(velocity_.data(), velocity_.size(), 0.0F);
}

void OuterOptimizer::step(std::span<float> averaged) {
  float* outer = outer_.data();
  float* velocity = velocity_.data();
  for (std::size_t i = 0; i < averaged.size(); ++i) {
    const float gradient = outer[i] - averaged[i];
    velocity[i] = momentum * velocity[i] + gradient;
    outer[i] -= rate * (gradient + momentum * velocity[i]);
    averaged[i] = outer[i];
  }
}

}  // namespace hiple::scaling
