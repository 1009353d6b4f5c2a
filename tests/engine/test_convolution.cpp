#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "engine/convolution.hpp"

namespace hiple::engine {
namespace {

using testing::ElementsAre;

TEST(Patches, LieSideBySideAndNeverCrossCases) {
  const PatchShape shape{.length = 5, .channels = 2, .kernel = 3, .stride = 2};
  ASSERT_EQ(shape.places(), 2);
  std::vector<float> points;
  for (int i = 0; i < 20; ++i) points.push_back(static_cast<float>(i));
  std::vector<float> patches(2 * 2 * 6);
  gather_patches(shape, 2, points.data(), patches.data());
  EXPECT_THAT(patches, ElementsAre(0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 15, 16, 17, 18, 19));
  std::vector<float> sums(20, -1);
  scatter_patches(shape, 2, patches.data(), sums.data());
  EXPECT_THAT(sums, ElementsAre(0, 1, 2, 3, 8, 10, 6, 7, 8, 9, 10, 11, 12, 13, 28, 30, 16, 17, 18, 19));
}

TEST(Patches, APointBehindTheLastPlaceCountsForNothing) {
  const PatchShape shape{.length = 4, .channels = 1, .kernel = 2, .stride = 3};
  ASSERT_EQ(shape.places(), 1);
  std::vector<float> sums(4, -1);
  const std::vector<float> patches{1, 2};
  scatter_patches(shape, 1, patches.data(), sums.data());
  EXPECT_THAT(sums, ElementsAre(1, 2, 0, 0));
}

class Pooling : public testing::Test {
 protected:
  /// Two cases of three places with two channels.
  const std::vector<float> values{1, 7, 5, 2, 3, 7, -1, -4, -6, -4, -2, -9};
  const PlacesShape shape{.places = 3, .channels = 2};

  std::vector<float> pooled(Pool pool, std::int64_t stride, std::vector<std::int32_t>& largest) const {
    std::vector<float> result(static_cast<std::size_t>(2 * stride), 100);
    pool_forward(pool, shape, 2, values.data(), {result.data(), stride}, largest.data());
    return result;
  }
  std::vector<float> gradient(Pool pool, const std::vector<float>& by_pooled, const std::vector<std::int32_t>& largest) const {
    std::vector<float> result(values.size(), 100);
    pool_backward(pool, shape, 2, {by_pooled.data(), static_cast<std::int64_t>(by_pooled.size() / 2)}, largest.data(),
                  result.data());
    return result;
  }
};

TEST_F(Pooling, TheMean) {
  std::vector<std::int32_t> largest(4, -1);
  EXPECT_THAT(pooled(Pool::mean, 3, largest), ElementsAre(3, 16.0F / 3, 100, -3, -17.0F / 3, 100));
  EXPECT_THAT(gradient(Pool::mean, {3, 6, 9, 12}, largest), ElementsAre(1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4));
}

TEST_F(Pooling, TheLargestAndOfEqualOnesTheFirst) {
  std::vector<std::int32_t> largest(4, -1);
  EXPECT_THAT(pooled(Pool::max, 2, largest), ElementsAre(5, 7, -1, -4));
  EXPECT_THAT(largest, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(gradient(Pool::max, {1, 2, 3, 4}, largest), ElementsAre(0, 2, 1, 0, 0, 0, 3, 4, 0, 0, 0, 0));
}

TEST_F(Pooling, BothAndNone) {
  std::vector<std::int32_t> largest(4, -1);
  EXPECT_THAT(pooled(Pool::mean_max, 4, largest), ElementsAre(3, 16.0F / 3, 5, 7, -3, -17.0F / 3, -1, -4));
  EXPECT_THAT(gradient(Pool::mean_max, {3, 6, 1, 2, 9, 12, 3, 4}, largest), ElementsAre(1, 4, 2, 2, 1, 2, 6, 8, 3, 4, 3, 4));
  EXPECT_EQ(pooled(Pool::none, 6, largest), values);
  EXPECT_EQ(gradient(Pool::none, values, largest), values);
}

}  // namespace
}  // namespace hiple::engine
