#include <gtest/gtest.h>

#include <vector>

#include "scaling/strategy/outer_optimizer.hpp"

namespace hiple::scaling {
namespace {

// As torch.optim.SGD(lr=0.7, momentum=0.9, nesterov=True) does with the gradients 1 - 0 and then, from -0.33 on, 1.
TEST(OuterOptimizer, IsNesterovMomentumOnWhatTheAverageChanged) {
  OuterOptimizer outer(1);
  const std::vector<float> begin{1};
  outer.reset(begin);
  std::vector<float> values{0};
  outer.step(values);
  EXPECT_FLOAT_EQ(values[0], 1 - 0.7F * (1 + 0.9F * 1));
  values[0] -= 1;
  outer.step(values);
  EXPECT_FLOAT_EQ(values[0], -0.33F - 0.7F * (1 + 0.9F * (0.9F * 1 + 1)));
  EXPECT_EQ(outer.bytes(), 8U);
}

TEST(OuterOptimizer, ResetForgetsTheMomentum) {
  OuterOptimizer outer(2);
  const std::vector<float> begin{1, 2};
  const auto once = [&] {
    std::vector<float> values{0.5F, 3};
    outer.reset(begin);
    outer.step(values);
    return values;
  };
  EXPECT_EQ(once(), once());
}

TEST(OuterOptimizer, StaysWhereTheRanksStayed) {
  OuterOptimizer outer(1);
  std::vector<float> values{3};
  outer.reset(values);
  outer.step(values);
  EXPECT_EQ(values[0], 3);
}

}  // namespace
}  // namespace hiple::scaling
