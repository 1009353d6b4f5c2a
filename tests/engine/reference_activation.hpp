#pragma once

#include <cmath>
#include <numbers>

#include "engine/network_layout.hpp"

namespace hiple::engine::reference {

inline double activate(Activation activation, double x) {
  switch (activation) {
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::gelu:
      return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case Activation::tanh:
      return std::tanh(x);
  }
  return 0;
}

inline double slope(Activation activation, double x) {
  switch (activation) {
    case Activation::relu:
      return x > 0 ? 1 : 0;
    case Activation::gelu:
      return 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    case Activation::tanh:
      return 1 - std::tanh(x) * std::tanh(x);
  }
  return 0;
}

}  // namespace hiple::engine::reference
