#pragma once

#include "engine/network_layout.hpp"
#include "scaling/measure/stretch.hpp"
#include "scaling/strategy/arithmetic.hpp"

namespace hiple::scaling {

/// Adam's, of every strategy.
inline constexpr double learning_rate = 1e-3;

/// Arithmetic on the engines' layers, kernels and optimizer, over planted data, on one thread. All computing is timed.
class EngineArithmetic : public Arithmetic {
 public:
  /// `clock` outlives it.
  EngineArithmetic(const engine::NetworkShape& shape, std::uint64_t seed, ComputeClock& clock);

  std::unique_ptr<Compute> compute(const Share& share) override;
  std::unique_ptr<Chain> chain(const ChainShape& shape) override;
  std::unique_ptr<Batches> batches(const Share& share) override;
  std::unique_ptr<Optimizer> optimizer(std::size_t numbers) override;
  void draw(const std::string& name, const std::function<void(std::span<const float>)>& show) override;

 private:
  engine::NetworkShape shape_;
  std::uint64_t seed_;
  ComputeClock& clock_;
};

}  // namespace hiple::scaling
