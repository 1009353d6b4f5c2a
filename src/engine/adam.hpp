#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernels_buffer.hpp"

namespace hiple::engine {

struct AdamConfig {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = true;  ///< AdamW (Loshchilov and Hutter 2019): decay beside the gradient step; else L2 in the gradient
  double clip = 0.0;      ///< largest global norm of the gradient; 0 does not clip
};

/// Adam (Kingma and Ba 2015) over flat buffers, in one pass, with the arithmetic of torch.optim.Adam and AdamW. Its state is
/// two buffers and the number of steps, all open to a checkpoint.
class Adam {
 public:
  /// `threads` share a step's parameters, where there are enough of them to be worth it; the result is the same bit by bit for
  /// any number.
  Adam(const AdamConfig& config, std::size_t size, int threads = 1);

  /// One update of `parameters` by `gradients` (both [size]) at this learning rate. Returns the gradient's norm before
  /// clipping, or 0 without clipping. A gradient that is not finite makes the parameters so.
  double step(std::span<float> parameters, std::span<const float> gradients, double learning_rate);

  [[nodiscard]] std::span<float> first_moment() { return {first_.data(), first_.size()}; }
  [[nodiscard]] std::span<float> second_moment() { return {second_.data(), second_.size()}; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

 private:
  AdamConfig config_;
  int threads_;
  Buffer<float> first_, second_;
  std::uint64_t steps_ = 0;
};

/// Square root of the sum of squares, summed in a fixed order.
double global_norm(std::span<const float> values);

}  // namespace hiple::engine
