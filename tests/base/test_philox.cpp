#include <gtest/gtest.h>

#include <vector>

#include "base/philox.hpp"

namespace hiple {
namespace {

// Known answers that the authors of Random123 publish for philox4x32-10.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(Philox(Philox::Key{0, 0}).block({0, 0, 0, 0}), (Philox::Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox(Philox::Key{0xffffffff, 0xffffffff}).block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}),
            (Philox::Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox(Philox::Key{0xa4093822, 0x299f31d0}).block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Philox::Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, KeyDependsOnSeedAndName) {
  EXPECT_EQ(Philox(7, "hypo").key(), Philox(7, "hypo").key());
  EXPECT_NE(Philox(7, "hypo").key(), Philox(8, "hypo").key());
  EXPECT_NE(Philox(7, "hypo").key(), Philox(7, "hyper").key());
}

TEST(PhiloxStream, UniformAndNormalHaveTheirMoments) {
  PhiloxStream stream(Philox(1, "moments"), 0, 0, 0);
  constexpr int count = 100000;
  double sum = 0, normal_sum = 0, normal_square = 0;
  for (int i = 0; i < count; ++i) {
    const double uniform = stream.next_uniform();
    ASSERT_GE(uniform, 0.0);
    ASSERT_LT(uniform, 1.0);
    sum += uniform;
    const double normal = stream.next_normal();
    normal_sum += normal;
    normal_square += normal * normal;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.005);
  EXPECT_NEAR(normal_sum / count, 0.0, 0.015);
  EXPECT_NEAR(normal_square / count, 1.0, 0.03);
}

TEST(PhiloxStream, BelowIsEvenAndInRange) {
  PhiloxStream stream(Philox(1, "below"), 3, 4, 5);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts.at(stream.next_below(7));
  for (const int n : counts) EXPECT_NEAR(n, 10000, 400);
  EXPECT_THROW(stream.next_below(0), std::exception);
}

}  // namespace
}  // namespace hiple
