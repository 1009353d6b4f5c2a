#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "engine/loss.hpp"
#include "reference_training.hpp"

namespace hiple::engine {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

TEST(SoftmaxCrossEntropy, AgreesWithTheReference) {
  const std::vector<float> logits{1, 2, 3, -1, 0.5, 0, 100, -100, 0, -80, -81, -79, 1e4, 0, -1e4}, weights{1, 0.5, 2, 0, 3};
  const std::vector<std::int32_t> labels{0, 2, 1, 1, 0};
  std::vector<float> gradient(15);
  const double loss = softmax_cross_entropy(logits, labels, weights, 6.5, gradient);
  const auto expected =
      reference::softmax_cross_entropy({logits.begin(), logits.end()}, labels, {weights.begin(), weights.end()}, 6.5);
  EXPECT_NEAR(loss, expected.value, 1e-6);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_NEAR(gradient[i], expected.gradient[i], 1e-7) << i;
}

TEST(SoftmaxCrossEntropy, WithoutWeightsEachRowCountsOnce) {
  const std::vector<float> logits{0, 0, 0, 0};
  const std::vector<std::int32_t> labels{0, 1};
  std::vector<float> gradient(4);
  EXPECT_NEAR(softmax_cross_entropy(logits, labels, {}, 2, gradient), std::log(2.0), 1e-7);
  EXPECT_EQ(gradient, (std::vector<float>{-0.25, 0.25, 0.25, -0.25}));
}

TEST(SoftmaxCrossEntropy, ALogitThatIsNotFiniteMakesTheLossSo) {
  const std::vector<std::int32_t> labels{0, 1};
  for (const float wrong : {nan, infinity}) {
    for (std::size_t place = 0; place < 4; ++place) {
      std::vector<float> logits{1, 2, 3, 4}, gradient(4);
      logits[place] = wrong;
      EXPECT_FALSE(std::isfinite(softmax_cross_entropy(logits, labels, {}, 2, gradient))) << wrong << place;
      EXPECT_FALSE(std::isfinite(gradient[place]));
    }
  }
}

TEST(SoftmaxCrossEntropy, RefusesWhatDoesNotFit) {
  std::vector<float> logits(6), gradient(6), weights(1);
  const std::vector<std::int32_t> labels{0, 3}, negative{0, -1}, good{0, 2}, four{0, 0, 0, 0};
  EXPECT_THROW(softmax_cross_entropy(logits, labels, {}, 1, gradient), Error);
  EXPECT_THROW(softmax_cross_entropy(logits, negative, {}, 1, gradient), Error);
  EXPECT_THROW(softmax_cross_entropy(logits, good, weights, 1, gradient), Error);
  EXPECT_THROW(softmax_cross_entropy(logits, four, {}, 1, gradient), Error);
}

TEST(SquaredError, AgreesWithTheReference) {
  const std::vector<float> outputs{1, -2, 0.5}, targets{0.5, 1, 0.5}, weights{1, 2, 3};
  std::vector<float> gradient(3);
  EXPECT_NEAR(squared_error(outputs, targets, weights, 6, gradient), (0.25 + 2 * 9) / 6, 1e-9);
  const auto expected = reference::squared_error({1, -2, 0.5}, {0.5, 1, 0.5}, {1, 2, 3}, 6);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(gradient[i], expected.gradient[i], 1e-7);
}

TEST(SquaredError, NotANumberShowsAndBuffersMustFit) {
  std::vector<float> outputs{1, nan}, targets{1, 1}, gradient(2), short_gradient(1);
  EXPECT_TRUE(std::isnan(squared_error(outputs, targets, {}, 2, gradient)));
  EXPECT_THROW(squared_error(outputs, targets, {}, 2, short_gradient), Error);
}

}  // namespace
}  // namespace hiple::engine
