#pragma once

#include "scaling/simulation/pieces.hpp"
#include "scaling/simulation/rank_clock.hpp"
#include "scaling/strategy/arithmetic.hpp"

namespace hiple::simulation {

/// What a strategy computes with, in a simulation: pieces of a step take the time that they were measured to take, and compute
/// nothing. They come in the order and in the parts of scaling/measure/engine_*.cpp, so that what is said in between is said when
/// it would be.
class SimulatedArithmetic : public scaling::Arithmetic {
 public:
  /// `pieces` outlives it.
  SimulatedArithmetic(std::vector<std::int64_t> widths, const Pieces& pieces) : widths_(std::move(widths)), pieces_(pieces) {}

  std::unique_ptr<scaling::Compute> compute(const scaling::Share& share) override;
  std::unique_ptr<scaling::Chain> chain(const scaling::ChainShape& shape) override;
  std::unique_ptr<scaling::Batches> batches(const scaling::Share& share) override;
  std::unique_ptr<scaling::Optimizer> optimizer(std::size_t numbers) override;
  /// Shows nothing: there are no weights.
  void draw(const std::string&, const std::function<void(std::span<const float>)>&) override {}

 private:
  std::vector<std::int64_t> widths_;
  const Pieces& pieces_;
};

}  // namespace hiple::simulation
