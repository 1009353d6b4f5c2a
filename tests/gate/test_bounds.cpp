#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "gate/bounds.hpp"

namespace hiple::gate {
namespace {

TEST(Bounds, ZeroMissesFollowTheClosedForm) {
  EXPECT_NEAR(upper_bound(0, 59), 1 - std::pow(0.05, 1.0 / 59), 1e-12);
  EXPECT_LE(upper_bound(0, 59), 0.05);
  EXPECT_GT(upper_bound(0, 58), 0.05);
  EXPECT_LE(upper_bound(0, 299), 0.01);
  EXPECT_GT(upper_bound(0, 298), 0.01);
  EXPECT_LE(upper_bound(0, 2995), 0.001);
  EXPECT_GT(upper_bound(0, 2994), 0.001);
}

/// Two-sided 95 % intervals in print are one-sided ones at 97.5 %.
TEST(Bounds, PublishedValues) {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 1998, table I, method 5.
  EXPECT_NEAR(lower_bound(81, 263, 0.975), 0.2527, 5e-5);
  EXPECT_NEAR(upper_bound(81, 263, 0.975), 0.3676, 1e-4);
  EXPECT_NEAR(lower_bound(15, 148, 0.975), 0.0578, 5e-5);
  EXPECT_NEAR(upper_bound(15, 148, 0.975), 0.1617, 5e-5);
  EXPECT_NEAR(upper_bound(0, 20, 0.975), 0.1684, 5e-5);
  EXPECT_NEAR(lower_bound(1, 29, 0.975), 0.0009, 5e-5);
  EXPECT_NEAR(upper_bound(1, 29, 0.975), 0.1776, 5e-5);
}

/// The bound is where the binomial tail is exactly 5 %.
TEST(Bounds, TailsAreExact) {
  const std::uint64_t n = 30, count = 3;
  const auto tail = [&](double rate, std::uint64_t low, std::uint64_t high) {
    double sum = 0;
    for (std::uint64_t k = low; k <= high; ++k) {
      const auto x = static_cast<double>(k), m = static_cast<double>(n);
      sum += std::exp(std::lgamma(m + 1) - std::lgamma(x + 1) - std::lgamma(m - x + 1) + x * std::log(rate) +
                      (m - x) * std::log1p(-rate));
    }
    return sum;
  };
  EXPECT_NEAR(tail(upper_bound(count, n), 0, count), 0.05, 1e-10);
  EXPECT_NEAR(tail(lower_bound(count, n), count, n), 0.05, 1e-10);
}

TEST(Bounds, Edges) {
  EXPECT_EQ(lower_bound(0, 10), 0);
  EXPECT_EQ(upper_bound(10, 10), 1);
  EXPECT_NEAR(lower_bound(10, 10), std::pow(0.05, 0.1), 1e-12);
  EXPECT_NEAR(lower_bound(7, 20), 1 - upper_bound(13, 20), 1e-12) << "a recall's bound is one less that of its misses";
  EXPECT_TRUE(std::isnan(lower_bound(0, 0)));
  EXPECT_TRUE(std::isnan(upper_bound(0, 0)));
  EXPECT_NEAR(upper_bound(0, 10'000'000'000), 2.9957e-10, 1e-13);
  EXPECT_THROW(upper_bound(2, 1), Error);
  EXPECT_THROW(upper_bound(0, 1, 1.0), Error);
  EXPECT_THROW(lower_bound(0, 1, std::nan("")), Error);
}

TEST(Bounds, NeededCases) {
  EXPECT_EQ(needed_cases(0.05), 59U);
  EXPECT_EQ(needed_cases(0.01), 299U);
  EXPECT_EQ(needed_cases(0.001), 2995U);
  EXPECT_EQ(needed_cases(0.99), 1U);
  EXPECT_EQ(needed_cases(0.5), 5U);
  EXPECT_THROW(needed_cases(0), Error);
  EXPECT_THROW(needed_cases(1), Error);
}

TEST(Bounds, OneSidedTable) {
  // 95 % upper limits of the classical tables: 1 of 10 .3942, 2 of 20 .2826, 5 of 50 .1988, 1 of 100 .0466.
  EXPECT_NEAR(upper_bound(1, 10), 0.39416, 1e-5);
  EXPECT_NEAR(upper_bound(2, 20), 0.28262, 1e-5);
  EXPECT_NEAR(upper_bound(5, 50), 0.19883, 1e-5);
  EXPECT_NEAR(upper_bound(1, 100), 0.04656, 1e-5);
}

TEST(Bounds, AtMostProbabilityIsABinomialTail) {
  EXPECT_NEAR(at_most_probability(2, 10, 0.5), 56.0 / 1024, 1e-12);  // (1 + 10 + 45) / 2^10
  EXPECT_NEAR(at_most_probability(0, 59, 0.05), std::pow(0.95, 59), 1e-12);
  EXPECT_EQ(at_most_probability(10, 10, 0.5), 1);
  EXPECT_NEAR(at_most_probability(8, 20, upper_bound(8, 20)), 0.05, 1e-9);
  EXPECT_TRUE(std::isnan(at_most_probability(0, 0, 0.5)));
  EXPECT_THROW(at_most_probability(0, 1, 1.5), Error);
}

/// Holm's own example: .01 .005 .04 .03 refutes the two smallest, since .03 > .05 / 2.
TEST(Bounds, HolmStepsDown) {
  EXPECT_EQ(refuted({0.01, 0.005, 0.04, 0.03}), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(refuted({0.01, 0.02, 0.04}), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(refuted({0.02, 0.02, 0.02}), (std::vector<bool>{false, false, false})) << "the first step stops all";
  EXPECT_EQ(refuted({0.025, std::nan("")}), (std::vector<bool>{true, false}));
  EXPECT_TRUE(refuted({}).empty());
}

TEST(Bounds, WilsonForPictures) {
  // Newcombe 1998, table I, method 3, at 95 % two-sided: 81/263 .2553 .3662. Here the ends are one-sided at 95 %, so 90 %.
  const auto [low, high] = wilson(81, 263);
  EXPECT_NEAR(low, 0.2634, 2e-4);
  EXPECT_NEAR(high, 0.3565, 2e-4);
  EXPECT_EQ(wilson(0, 20).first, 0);
  EXPECT_NEAR(wilson(0, 20).second, 2.7055 / 22.7055, 1e-4);
  EXPECT_TRUE(std::isnan(wilson(0, 0).first));
}

TEST(Bounds, MeanMargin) {
  EXPECT_NEAR(mean_margin(1000), std::sqrt(std::log(20.0) / 2000), 1e-15);
  EXPECT_TRUE(std::isnan(mean_margin(0)));
}

}  // namespace
}  // namespace hiple::gate
