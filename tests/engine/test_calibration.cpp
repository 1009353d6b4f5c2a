#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/philox.hpp"
#include "engine/calibration.hpp"

namespace hiple::engine {
namespace {

/// Labels drawn from softmax(logits / temperature).
std::vector<std::int32_t> draw(const std::vector<float>& logits, double temperature, std::size_t rows) {
  PhiloxStream random(Philox(3, "labels"), 0, 0, 0);
  std::vector<std::int32_t> labels;
  labels.reserve(rows);
  std::vector<double> probabilities(3);
  for (std::size_t row = 0; row < rows; ++row) {
    calibrated_probabilities(std::span(logits).subspan(3 * row, 3), temperature, probabilities);
    const double u = random.next_uniform();
    labels.push_back(u < probabilities[0] ? 0 : u < probabilities[0] + probabilities[1] ? 1 : 2);
  }
  return labels;
}

std::vector<float> random_logits(std::size_t rows) {
  PhiloxStream random(Philox(3, "logits"), 0, 0, 0);
  std::vector<float> logits(3 * rows);
  for (float& logit : logits) logit = static_cast<float>(4 * random.next_normal());
  return logits;
}

TEST(Temperature, FindsTheOneThatMadeTheLabels) {
  constexpr std::size_t rows = 20000;
  const auto logits = random_logits(rows);
  for (const double temperature : {0.5, 1.0, 2.5, 6.0}) {
    EXPECT_NEAR(fit_temperature(logits, 3, draw(logits, temperature, rows)), temperature, 0.04 * temperature);
  }
}

TEST(Temperature, IsAStationaryPointOfTheLikelihood) {
  constexpr std::size_t rows = 500;
  const auto logits = random_logits(rows);
  const auto labels = draw(logits, 2.0, rows);
  const auto loss = [&](double temperature) {
    double sum = 0;
    std::vector<double> probabilities(3);
    for (std::size_t row = 0; row < rows; ++row) {
      calibrated_probabilities(std::span(logits).subspan(3 * row, 3), temperature, probabilities);
      for (std::size_t k = 0; k < 3; ++k) {
        const double target = (static_cast<std::int32_t>(k) == labels[row] ? 1 - 1.0 / (rows + 2) : 0) + 1.0 / (rows + 2) / 3;
        sum -= target * std::log(probabilities[k]);
      }
    }
    return sum;
  };
  const double best = fit_temperature(logits, 3, labels);
  EXPECT_LT(loss(best), loss(best * 1.001));
  EXPECT_LT(loss(best), loss(best * 0.999));
}

TEST(Temperature, StaysInBoundsWhateverTheRows) {
  const std::vector<float> sure = {9, 0, 0, 0, 9, 0};
  const double right = fit_temperature(sure, 3, std::vector<std::int32_t>{0, 1});
  EXPECT_GT(right, 1.0);  // two rows do not show a certainty of 9
  EXPECT_LT(right, 20.0);
  EXPECT_NEAR(fit_temperature(sure, 3, std::vector<std::int32_t>{2, 2}), 20.0, 1e-6);
  EXPECT_EQ(fit_temperature({}, 3, {}), 1.0);
  const std::vector<float> flat(6, 1.0F);
  EXPECT_TRUE(std::isfinite(fit_temperature(flat, 3, std::vector<std::int32_t>{0, 1})));
  const std::vector<float> huge = {3e38F, -3e38F, 0};
  EXPECT_TRUE(std::isfinite(fit_temperature(huge, 3, std::vector<std::int32_t>{0})));
}

TEST(Temperature, ProbabilitiesOfHugeLogitsAreFinite) {
  std::vector<double> probabilities(2);
  calibrated_probabilities(std::vector<float>{3e38F, -3e38F}, 0.05, probabilities);
  EXPECT_EQ(probabilities[0], 1.0);
  EXPECT_EQ(probabilities[1], 0.0);
}

}  // namespace
}  // namespace hiple::engine
