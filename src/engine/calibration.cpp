#include "engine/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hiple::engine {

namespace {

struct Derivatives {
  double first = 0, second = 0;
};

/// Of the smoothed negative log likelihood by 1/T, over all rows.
Derivatives derivatives(std::span<const float> logits, std::size_t classes, std::span<const std::int32_t> labels,
                        double inverse) {
  Derivatives sum;
  const double smoothing = 1.0 / (static_cast<double>(labels.size()) + 2.0);
  std::vector<double> probabilities(classes);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::span<const float> values = logits.subspan(row * classes, classes);
    calibrated_probabilities(values, 1.0 / inverse, probabilities);
    double expected = 0, square = 0, all = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double value = values[k];
      expected += probabilities[k] * value;
      square += probabilities[k] * value * value;
      all += value;
    }
    const double own = values[static_cast<std::size_t>(labels[row])];
    sum.first += expected - ((1 - smoothing) * own + smoothing * all / static_cast<double>(classes));
    sum.second += std::max(0.0, square - expected * expected);
  }
  return sum;
}

}  // namespace

void calibrated_probabilities(std::span<const float> logits, double temperature, std::span<double> probabilities) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    probabilities[k] = std::exp((logits[k] - largest) / temperature);
    sum += probabilities[k];
  }
  for (double& probability : probabilities) probability /= sum;
}

double fit_temperature(std::span<const float> logits, std::size_t classes, std::span<const std::int32_t> labels) {
  if (labels.empty()) return 1;
  double low = 1.0 / 20.0, high = 20.0, inverse = 1;
  constexpr int most_steps = 100;
  for (int i = 0; i < most_steps; ++i) {
    const Derivatives at = derivatives(logits, classes, labels, inverse);
    (at.first > 0 ? high : low) = inverse;
    double next = at.second > 0 ? inverse - at.first / at.second : 0;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    if (std::abs(next - inverse) <= 1e-10 * inverse) break;
    inverse = next;
  }
  return 1.0 / inverse;
}

}  // namespace hiple::engine
