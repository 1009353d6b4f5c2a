#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "run/fault.hpp"

namespace hiple {
namespace {

using testing::HasSubstr;

TEST(Fault, IsReadInAnyOrder) {
  const Fault fault = parse_fault("kind=slow:2.5,attempt=3,step=12,engine=alpha");
  EXPECT_EQ(fault.engine, "alpha");
  EXPECT_EQ(fault.step, 12U);
  EXPECT_EQ(fault.kind, "slow");
  EXPECT_EQ(fault.factor, 2.5);
  EXPECT_EQ(fault.attempts, 3U);
  EXPECT_EQ(parse_fault("engine=e,step=1,kind=oom").attempts, 0U);
}

TEST(Fault, AnythingElseIsRefused) {
  for (const char* text : {"", "engine=e", "engine=e,step=1", "engine=e,step=-1,kind=kill", "engine=e,step=1x,kind=kill",
                           "engine=e,step=1,kind=", "engine=e,step=1,kind=slow:0.5", "engine=e,step=1,kind=slow:2:3",
                           "engine=e,step=1,kind=kill,attempt=0", "engine=e,step=1,kind=kill,", "engine=,step=1,kind=kill"})
    EXPECT_THROW(parse_fault(text), InputError) << text;
}

TEST(FaultInjector, StrikesAtItsStepAndInItsAttempts) {
  std::array<float, 2> parameters = {1, 2};
  FaultInjector first({parse_fault("engine=e,step=3,kind=nan,attempt=2")}, 2, {});
  EXPECT_TRUE(first.any());
  first.strike(2, parameters);
  first.strike(4, parameters);
  EXPECT_EQ(parameters[1], 2);
  first.strike(3, parameters);
  EXPECT_TRUE(std::isnan(parameters[0]) && std::isnan(parameters[1]));
  EXPECT_FALSE(FaultInjector({parse_fault("engine=e,step=3,kind=nan,attempt=2")}, 3, {}).any());
  FaultInjector always({parse_fault("engine=e,step=3,kind=throw")}, 1000, {});
  EXPECT_THROW(always.strike(3, parameters), std::runtime_error);
}

}  // namespace
}  // namespace hiple
