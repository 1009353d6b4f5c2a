#include <gtest/gtest.h>

#include "scaling/strategy/stages.hpp"

namespace hiple::scaling {
namespace {

std::vector<std::size_t> ends(const std::vector<std::int64_t>& widths, std::size_t stages) {
  std::vector<std::size_t> result;
  std::size_t end = 0;
  for (const Stage& stage : cut_into_stages(widths, stages)) {
    EXPECT_EQ(stage.first, end);
    EXPECT_GT(stage.end, stage.first);
    end = stage.end;
    result.push_back(end);
  }
  return result;
}

TEST(Stages, TheLargestIsAsSmallAsCanBe) {
  EXPECT_EQ(ends({10, 10, 10, 10, 10}, 2), (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(ends({100, 10, 10, 10, 10}, 2), (std::vector<std::size_t>{1, 4}));
  EXPECT_EQ(ends({10, 10, 10, 10, 100}, 2), (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(ends({10, 100, 100, 10, 10, 10}, 3).front(), 1U);
}

TEST(Stages, EveryStageHasALayer) {
  EXPECT_EQ(ends({1000, 10, 1, 1}, 3), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(ends({5, 3}, 1), (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace hiple::scaling
