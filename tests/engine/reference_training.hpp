#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/adam.hpp"

namespace hiple::engine::reference {

struct Loss {
  double value = 0;
  std::vector<double> gradient;
};

/// Softmax cross-entropy of logits [rows, classes], weighted, over `normaliser`.
inline Loss softmax_cross_entropy(const std::vector<double>& logits, const std::vector<std::int32_t>& labels,
                                  const std::vector<double>& weights, double normaliser) {
  Loss loss{0, logits};
  const std::size_t classes = logits.size() / labels.size();
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double* z = logits.data() + row * classes;
    const double largest = *std::max_element(z, z + classes);
    double sum = 0;
    for (std::size_t i = 0; i < classes; ++i) sum += std::exp(z[i] - largest);
    const double weight = weights[row] / normaliser;
    const auto label = static_cast<std::size_t>(labels[row]);
    loss.value += weight * (std::log(sum) + largest - z[label]);
    for (std::size_t i = 0; i < classes; ++i) {
      loss.gradient[row * classes + i] = weight * (std::exp(z[i] - largest) / sum - (i == label ? 1.0 : 0.0));
    }
  }
  return loss;
}

/// Squared error of outputs [rows], weighted, over `normaliser`.
inline Loss squared_error(const std::vector<double>& outputs, const std::vector<double>& targets,
                          const std::vector<double>& weights, double normaliser) {
  Loss loss{0, outputs};
  for (std::size_t row = 0; row < outputs.size(); ++row) {
    const double difference = outputs[row] - targets[row];
    loss.value += weights[row] / normaliser * difference * difference;
    loss.gradient[row] = 2 * weights[row] / normaliser * difference;
  }
  return loss;
}

/// Adam and AdamW as their papers write them.
class Adam {
 public:
  Adam(const AdamConfig& config, std::size_t size) : config_(config), first_(size), second_(size) {}

  void step(std::vector<double>& parameters, std::vector<double> gradient, double learning_rate) {
    ++steps_;
    clip(gradient);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (config_.decoupled) {
        parameters[i] -= learning_rate * config_.weight_decay * parameters[i];
      } else {
        gradient[i] += config_.weight_decay * parameters[i];
      }
      first_[i] = config_.beta1 * first_[i] + (1 - config_.beta1) * gradient[i];
      second_[i] = config_.beta2 * second_[i] + (1 - config_.beta2) * gradient[i] * gradient[i];
      const double m = first_[i] / (1 - std::pow(config_.beta1, steps_)), v = second_[i] / (1 - std::pow(config_.beta2, steps_));
      parameters[i] -= learning_rate * m / (std::sqrt(v) + config_.epsilon);
    }
  }

 private:
  void clip(std::vector<double>& gradient) const {
    double squares = 0;
    for (const double g : gradient) squares += g * g;
    if (config_.clip <= 0 || std::sqrt(squares) <= config_.clip) return;
    for (double& g : gradient) g *= config_.clip / std::sqrt(squares);
  }

  AdamConfig config_;
  std::vector<double> first_, second_;
  int steps_ = 0;
};

}  // namespace hiple::engine::reference
