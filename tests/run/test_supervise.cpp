#include <gtest/gtest.h>

#include "run/supervise.hpp"

namespace hiple {
namespace {

TEST(StallLimit, IsThatOfAStepOutsideOfSteps) {
  EXPECT_EQ(stall_limit(false, 0, 2), 2);
  EXPECT_EQ(stall_limit(false, 1e-5, 600), 600);
  EXPECT_EQ(stall_limit(false, 100, 3600), 3600);
}

TEST(StallLimit, FollowsTheLongestStepWithinBounds) {
  EXPECT_EQ(stall_limit(true, 1e-5, 600), 60);
  EXPECT_EQ(stall_limit(true, 0.2, 600), 200);
  EXPECT_EQ(stall_limit(true, 10, 600), 600);
  EXPECT_EQ(stall_limit(true, 1e-5, 2), 2);
}

}  // namespace
}  // namespace hiple
