#include <gmock/gmock.h>

#include <numeric>

#include "scaling/strategy/independent_plan.hpp"

namespace hiple::scaling {
namespace {

using testing::ElementsAre;

TEST(IndependentPlan, StepsSpreadFromTheLargestToTheSmallest) {
  EXPECT_THAT(engine_steps(3, 100, 4), ElementsAre(100, 50, 25));
  EXPECT_THAT(engine_steps(4, 100, 1), ElementsAre(100, 100, 100, 100));
  EXPECT_THAT(engine_steps(1, 100, 1), ElementsAre(100));
  EXPECT_THAT(engine_steps(2, 3, 1000), ElementsAre(3, 1));
}

TEST(IndependentPlan, EveryRankTrainsAndEveryEngineIsPlacedOnce) {
  EXPECT_THAT(place_engines({5, 5}, 2), ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(place_engines({9, 5, 4, 3}, 2), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2)));
  EXPECT_THAT(place_engines({9, 5}, 1), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(place_engines({9}, 3), ElementsAre(ElementsAre(0), ElementsAre(), ElementsAre()));
}

TEST(IndependentPlan, EnginesOfOneCostGoInTheirOrder) {
  const auto placed = place_engines(std::vector<std::uint64_t>(12, 5), 12);
  for (std::size_t rank = 0; rank < 12; ++rank) EXPECT_THAT(placed[rank], ElementsAre(rank));
}

}  // namespace
}  // namespace hiple::scaling
