#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "scaling/strategy/chain.hpp"
#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// A share's rows of every batch.
class Batches {
 public:
  virtual ~Batches() = default;
  /// Copies `count` of the share's rows in the batch of `step`, from its row `first` on.
  virtual void load(std::uint64_t step, std::uint64_t first, std::uint64_t count, Rows target) = 0;
  /// These rows' part of the batch's loss, from the network's outputs [count, classes]; writes the gradient by them.
  virtual double loss(std::uint64_t step, std::uint64_t first, std::uint64_t count, const float* outputs, float* gradient) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Adam on some of the parameters, with its moments.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Moments and steps back to zero.
  virtual void reset() = 0;
  virtual void update(std::span<float> parameters, std::span<const float> gradients) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Makes what a strategy computes with: the only way from a strategy to layers, kernels and data.
class Arithmetic {
 public:
  virtual ~Arithmetic() = default;
  /// A whole training step, with everything allocated.
  virtual std::unique_ptr<Compute> compute(const Share& share) = 0;
  /// Single layers, for strategies that divide a step or keep parameters elsewhere.
  virtual std::unique_ptr<Chain> chain(const ChainShape& shape) = 0;
  virtual std::unique_ptr<Batches> batches(const Share& share) = 0;
  virtual std::unique_ptr<Optimizer> optimizer(std::size_t numbers) = 0;
  /// Shows the initial parameters of the whole network as a model of this name has them, flat.
  virtual void draw(const std::string& name, const std::function<void(std::span<const float>)>& show) = 0;
};

}  // namespace hiple::scaling
