#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "plan/plan.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Plan, LongestFirstToTheLeastLoadedRank) {
  const Plan plan = make_plan({{"a", 2}, {"b", 7}, {"c", 3}, {"d", 6}, {"e", 4}}, 3);
  EXPECT_EQ(plan.integrator, 2);
  EXPECT_THAT(plan.engines, ElementsAre(ElementsAre(1, 2, 0), ElementsAre(3, 4), IsEmpty()));
}

TEST(Plan, OneRankDoesEverything) {
  const Plan plan = make_plan({{"a", 1}, {"b", 2}}, 1);
  EXPECT_EQ(plan.integrator, 0);
  EXPECT_THAT(plan.engines, ElementsAre(ElementsAre(1, 0)));
}

TEST(Plan, MoreRanksThanEngines) {
  EXPECT_THAT(make_plan({{"a", 1}}, 4).engines, ElementsAre(ElementsAre(0), IsEmpty(), IsEmpty(), IsEmpty()));
  EXPECT_THAT(make_plan({}, 2).engines, ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(Plan, TiesGoByNameWhateverTheOrder) {
  EXPECT_THAT(make_plan({{"b", 1}, {"a", 1}}, 3).engines, ElementsAre(ElementsAre(1), ElementsAre(0), IsEmpty()));
  EXPECT_THAT(make_plan({{"b", 0}, {"a", 0}}, 3).engines, ElementsAre(ElementsAre(1), ElementsAre(0), IsEmpty()));
}

TEST(Plan, RefusesWhatIsNoPlan) {
  EXPECT_THROW(make_plan({}, 0), Error);
  EXPECT_THROW(make_plan({{"a", std::numeric_limits<double>::quiet_NaN()}}, 2), Error);
  EXPECT_THROW(make_plan({{"a", -1}}, 2), Error);
}

}  // namespace
}  // namespace hiple
