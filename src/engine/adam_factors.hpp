#pragma once

#include <cmath>
#include <cstdint>

#include "base/on_both.hpp"

namespace hiple::engine {

struct AdamConfig;

/// Everything of a step of Adam that is the same for all parameters.
struct AdamFactors {
  float gradient_scale = 1, l2 = 0, keep = 1;                  ///< g * gradient_scale + l2 * p; p * keep
  float beta1 = 0, beta1_rest = 0, beta2 = 0, beta2_rest = 0;  ///< moments
  float second_scale = 0, epsilon = 0, step = 0;               ///< p -= step * m / (sqrt(v) * second_scale + epsilon)
};

/// Those of step `number`, from 1 on, without clipping.
AdamFactors adam_factors(const AdamConfig& config, std::uint64_t number, double learning_rate);

/// What a gradient of this norm is multiplied by so that it has the norm `clip` at most; a `clip` of 0 leaves it as it is.
HIPLE_ON_BOTH inline double clip_scale(double clip, double norm) { return clip > 0 && norm > clip ? clip / (norm + 1e-6) : 1.0; }

/// One parameter's step.
HIPLE_ON_BOTH inline void adam_update(const AdamFactors& f, float gradient_scale, float gradient, float& parameter, float& first,
                                      float& second) {
  const float g = std::fma(parameter, f.l2, gradient * gradient_scale);
  first = std::fma(first, f.beta1, g * f.beta1_rest);
  second = std::fma(second, f.beta2, g * g * f.beta2_rest);
  const float divisor = std::fma(std::sqrt(second), f.second_scale, f.epsilon);
  parameter = std::fma(-f.step, first / divisor, parameter * f.keep);
}

}  // namespace hiple::engine
