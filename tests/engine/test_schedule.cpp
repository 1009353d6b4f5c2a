#include <gtest/gtest.h>

#include "engine/schedule.hpp"

namespace hiple::engine {
namespace {

TEST(Schedule, ConstantAfterALinearWarmUp) {
  const Schedule schedule{.peak = 1.0, .warmup = 4};
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 0), 0.25);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 3), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 1000000), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate({.peak = 0.5}, 0), 0.5);
}

TEST(Schedule, CosineComesDownToZeroAtTheEnd) {
  const Schedule schedule{.peak = 2.0, .warmup = 10, .decay = Decay::cosine, .steps = 110};
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 10), 2.0);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 60), 1.0);
  EXPECT_NEAR(learning_rate(schedule, 109), 0.0005, 1e-5);
  EXPECT_EQ(learning_rate(schedule, 110), 0.0);
  EXPECT_EQ(learning_rate(schedule, 111), 0.0);
}

TEST(Schedule, WarmUpAsLongAsTheTraining) {
  const Schedule schedule{.peak = 1.0, .warmup = 5, .decay = Decay::cosine, .steps = 5};
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 4), 1.0);
  EXPECT_EQ(learning_rate(schedule, 5), 0.0);
}

}  // namespace
}  // namespace hiple::engine
