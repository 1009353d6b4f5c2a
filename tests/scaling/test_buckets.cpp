#include <gtest/gtest.h>

#include "scaling/strategy/buckets.hpp"

namespace hiple::scaling {
namespace {

TEST(Buckets, CoverTheBufferFromItsEndWithoutGaps) {
  for (const std::size_t numbers : {1U, 255U, 256U, 257U, 100000U, 20000000U}) {
    for (const std::size_t bytes : {std::size_t{1024}, first_bucket_bytes, default_bucket_bytes}) {
      std::size_t end = numbers;
      for (const Range& bucket : make_buckets(numbers, bytes)) {
        EXPECT_EQ(bucket.begin + bucket.size, end);
        EXPECT_GT(bucket.size, 0U);
        EXPECT_LE(bucket.size * sizeof(float), bytes);
        end = bucket.begin;
      }
      EXPECT_EQ(end, 0U);
    }
  }
}

TEST(Buckets, TheFirstOneIsSmall) {
  const auto buckets = make_buckets(10000000, default_bucket_bytes);
  ASSERT_EQ(buckets.size(), 3U);  // 1 MiB, 25 MiB, the rest of 38.1 MiB
  EXPECT_EQ(buckets[0].size, first_bucket_bytes / sizeof(float));
  EXPECT_EQ(buckets[1].size, default_bucket_bytes / sizeof(float));
  EXPECT_EQ(make_buckets(1000, 1024)[0].size, 256U);
}

}  // namespace
}  // namespace hiple::scaling
