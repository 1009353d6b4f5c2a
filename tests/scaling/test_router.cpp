#include <gtest/gtest.h>

#include <cmath>

#include "scaling/strategy/router.hpp"

namespace hiple::scaling {
namespace {

constexpr std::int64_t experts = 4;

/// What a router's weights and balance loss add up to with these factors: something whose gradient is known by differences.
double total(Router& router, std::vector<float> logits, const std::vector<float>& factors, std::int64_t rows,
             std::int64_t chosen) {
  router.route({logits.data(), experts});
  double sum = router.balance_loss();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0; i < chosen; ++i)
      sum += static_cast<double>(factors[static_cast<std::size_t>(row * chosen + i)]) *
             static_cast<double>(router.choice(row, i).weight);
  return sum;
}

TEST(Router, ChoosesTheLikeliestAndFillsSlotsByChoiceAndRow) {
  Router router({.rows = 3, .group_rows = 3, .groups = 1, .experts = experts, .chosen = 2, .slots = 2});
  std::vector<float> logits{3, 2, 1, 0, 0, 3, 0, 2, 3, 0, 0, 2};
  router.route({logits.data(), experts});
  const auto check = [&](std::int64_t row, std::int64_t i, std::int64_t expert, std::int64_t slot) {
    EXPECT_EQ(router.choice(row, i).expert, expert) << row << " " << i;
    EXPECT_EQ(router.choice(row, i).slot, slot) << row << " " << i;
  };
  check(0, 0, 0, 0);
  check(1, 0, 1, 0);
  check(2, 0, 0, 1);
  check(0, 1, 1, 1);  // second choices come behind all first ones
  check(1, 1, 3, 0);
  check(2, 1, 3, 1);
  for (std::int64_t row = 0; row < 3; ++row) EXPECT_FLOAT_EQ(router.choice(row, 0).weight + router.choice(row, 1).weight, 1);
  EXPECT_FLOAT_EQ(router.choice(0, 0).weight, std::exp(1.0F) / (std::exp(1.0F) + 1));
}

TEST(Router, WhoFindsNoRoomHasNoSlotAndGroupsHaveRoomOfTheirOwn) {
  Router router({.rows = 4, .group_rows = 2, .groups = 2, .experts = experts, .chosen = 1, .slots = 1});
  std::vector<float> logits(16, 0.0F);
  for (std::size_t row = 0; row < 4; ++row) logits[row * 4 + 2] = 5;
  router.route({logits.data(), experts});
  for (std::int64_t row = 0; row < 4; ++row) {
    EXPECT_EQ(router.choice(row, 0).expert, 2);
    EXPECT_EQ(router.choice(row, 0).slot, row % 2 == 0 ? 0 : -1);
  }
}

TEST(Router, BalanceIsLeastWhereAllGetTheSame) {
  Router router({.rows = 4, .group_rows = 4, .groups = 1, .experts = experts, .chosen = 1, .slots = 4});
  std::vector<float> even(16, 0.0F), one(16, 0.0F);
  for (std::size_t row = 0; row < 4; ++row) {
    even[row * 4 + row] = 20;
    one[row * 4] = 20;
  }
  router.route({even.data(), experts});
  EXPECT_NEAR(router.balance_loss(), 0.01, 1e-6);
  router.route({one.data(), experts});
  EXPECT_NEAR(router.balance_loss(), 0.04, 1e-6);
}

TEST(Router, GradientIsThatOfDifferences) {
  for (const std::int64_t chosen : {1, 2, 3}) {
    constexpr std::int64_t rows = 4;
    // 0.01 times 4 experts' balance is small beside the weights: half the factors are of its size.
    Router router({.rows = rows, .group_rows = 2, .groups = 2, .experts = experts, .chosen = chosen, .slots = 8});
    std::vector<float> logits, factors;
    for (int i = 0; i < rows * experts; ++i)
      logits.push_back(static_cast<float>((i * 7) % 11) * 0.21F + static_cast<float>(i) * 0.003F);
    for (int i = 0; i < rows * chosen; ++i) factors.push_back(i % 2 == 0 ? 0.01F : 0.3F - 0.1F * static_cast<float>(i));
    total(router, logits, factors, rows, chosen);
    std::vector<float> gradient(logits.size());
    router.gradient(factors.data(), {gradient.data(), experts});
    constexpr float step = 1e-2F;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      std::vector<float> above = logits, below = logits;
      above[i] += step;
      below[i] -= step;
      const double difference = total(router, above, factors, rows, chosen) - total(router, below, factors, rows, chosen);
      EXPECT_NEAR(gradient[i], difference / (2 * static_cast<double>(step)), 2e-4) << chosen << " " << i;
    }
  }
}

}  // namespace
}  // namespace hiple::scaling
