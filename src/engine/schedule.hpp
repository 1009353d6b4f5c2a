#pragma once

#include <cstdint>

namespace hiple::engine {

enum class Decay { constant, cosine };

/// The course of the learning rate over a training.
struct Schedule {
  double peak = 1e-3;        ///< learning rate after the warm-up
  std::uint64_t warmup = 0;  ///< steps of linear warm-up, from peak / warmup
  Decay decay = Decay::constant;
  std::uint64_t steps = 0;  ///< of the whole training; where a cosine has come down to 0
};

/// The learning rate of a step, counted from 0.
double learning_rate(const Schedule& schedule, std::uint64_t step);

}  // namespace hiple::engine
