#pragma once

#include <cstddef>
#include <span>

#include "scaling/strategy/held.hpp"

namespace hiple::scaling {

/// DiLoCo's outer optimizer (Douillard et al., "DiLoCo: Distributed Low-Communication Training of Language Models", 2023):
/// Nesterov momentum on what the averaged steps of all ranks changed since the last average, with the arithmetic of
/// torch.optim.SGD.
class OuterOptimizer {
 public:
  /// The authors' choice.
  static constexpr float rate = 0.7F, momentum = 0.9F;

  explicit OuterOptimizer(std::size_t numbers);

  /// From these parameters on, without momentum.
  void reset(std::span<const float> parameters);
  /// Takes a step from where the last one ended towards `averaged`, and writes where it ends there.
  void step(std::span<float> averaged);
  [[nodiscard]] std::size_t bytes() const { return (outer_.size() + velocity_.size()) * sizeof(float); }

 private:
  Numbers outer_, velocity_;
};

}  // namespace hiple::scaling
