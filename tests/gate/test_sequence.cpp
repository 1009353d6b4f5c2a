#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.hpp"
#include "gate/bounds.hpp"
#include "gate/sequence.hpp"

namespace hiple::gate {
namespace {

/// The mean of the likelihood ratio over rates below `rate`, by the midpoint rule.
double by_sum(std::uint64_t count, std::uint64_t n, double rate) {
  constexpr int steps = 200000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = rate * (i + 0.5) / steps;
    sum += std::exp(static_cast<double>(count) * std::log(t / rate) +
                    static_cast<double>(n - count) * (std::log1p(-t) - std::log1p(-rate)));
  }
  return std::log(sum / steps);
}

TEST(Sequence, IsTheMeanLikelihoodRatio) {
  for (const auto& [count, n, rate] : {std::tuple(0U, 1U, 0.5), std::tuple(3U, 20U, 0.4), std::tuple(55U, 60U, 0.95),
                                       std::tuple(60U, 60U, 0.9), std::tuple(700U, 1000U, 0.8)})
    EXPECT_NEAR(log_evidence_below(count, n, rate), by_sum(count, n, rate), 1e-6) << count << " of " << n;
  // After no miss in n the ratio is ((1-t)/(1-q))^n, whose mean is (1 - (1-q)^(n+1)) / ((n+1) q (1-q)^n).
  EXPECT_NEAR(log_evidence_below(0, 30, 0.1), std::log((1 - std::pow(0.9, 31)) / (31 * 0.1 * std::pow(0.9, 30))), 1e-12);
  EXPECT_NEAR(log_evidence_above(30, 30, 0.9), log_evidence_below(0, 30, 0.1), 1e-12);
  EXPECT_EQ(log_evidence_below(0, 0, 0.5), 0);
}

TEST(Sequence, BoundsAreWhereTheEvidenceIsTwenty) {
  for (const auto& [count, n] : {std::pair(0U, 50U), std::pair(3U, 50U), std::pair(45U, 50U), std::pair(4000U, 5000U)}) {
    const double upper = upper_at_every_look(count, n);
    EXPECT_NEAR(log_evidence_below(count, n, upper), std::log(20), 1e-6);
    EXPECT_GT(upper, upper_bound(count, n)) << "a bound at every look is wider than one at a single look";
    EXPECT_NEAR(lower_at_every_look(n - count, n), 1 - upper, 1e-12);
  }
  EXPECT_EQ(upper_at_every_look(50, 50), 1);
  EXPECT_EQ(lower_at_every_look(0, 50), 0);
  EXPECT_EQ(upper_at_every_look(0, 0), 1);
  EXPECT_EQ(lower_at_every_look(0, 0), 0);
  EXPECT_LT(upper_at_every_look(0, 100000000), 1e-6);
}

TEST(Sequence, RefusesWhatIsNoShare) {
  EXPECT_THROW((void)log_evidence_below(2, 1, 0.5), Error);
  EXPECT_THROW((void)log_evidence_above(2, 1, 0.5), Error);
  EXPECT_THROW((void)log_evidence_below(1, 2, 1.0), Error);
  EXPECT_THROW((void)log_evidence_below(1, 2, 0.0), Error);
  EXPECT_THROW((void)upper_at_every_look(2, 1), Error);
  EXPECT_THROW((void)lower_at_every_look(2, 1), Error);
  EXPECT_THROW((void)upper_at_every_look(1, 2, 1.0), Error);
}

/// Of many watchers who look after every case, at most one in twenty ever sees the true rate outside; with an exact bound for one
/// look, looked at again and again, many more do.
TEST(Sequence, HoldsAtEveryLook) {
  constexpr int watchers = 400, cases = 300;
  constexpr int most = 33;  // one in twenty, and three standard deviations of such a count
  for (const double rate : {0.5, 0.9, 0.98}) {
    std::mt19937_64 random(7);
    std::bernoulli_distribution holds(rate);
    int above = 0, below = 0, exact = 0;
    for (int watcher = 0; watcher < watchers; ++watcher) {
      std::uint64_t count = 0;
      bool saw_above = false, saw_below = false, saw_exact = false;
      for (std::uint64_t n = 1; n <= cases; ++n) {
        count += holds(random) ? 1U : 0U;
        saw_above = saw_above || log_evidence_above(count, n, rate) >= std::log(20);
        saw_below = saw_below || log_evidence_below(count, n, rate) >= std::log(20);
        saw_exact = saw_exact || at_most_probability(count, n, rate) <= 0.05;
      }
      above += saw_above ? 1 : 0;
      below += saw_below ? 1 : 0;
      exact += saw_exact ? 1 : 0;
    }
    EXPECT_LE(above, most) << rate;
    EXPECT_LE(below, most) << rate;
    EXPECT_GT(exact, watchers / 10) << rate;
  }
}

/// The same for a rate over the one that is tested: evidence against it grows no faster.
TEST(Sequence, HoldsForEveryRateOnTheOtherSide) {
  std::mt19937_64 random(11);
  std::bernoulli_distribution holds(0.93);
  int seen = 0;
  for (int watcher = 0; watcher < 400; ++watcher) {
    std::uint64_t count = 0;
    bool saw = false;
    for (std::uint64_t n = 1; n <= 300; ++n) {
      count += holds(random) ? 1U : 0U;
      saw = saw || log_evidence_below(count, n, 0.9) >= std::log(20);
    }
    seen += saw ? 1 : 0;
  }
  EXPECT_LE(seen, 33);
}

TEST(Sequence, FindsWhatIsThere) {
  EXPECT_GT(log_evidence_below(60, 100, 0.9), std::log(1e6));
  EXPECT_LE(probability_at_any_look(log_evidence_below(60, 100, 0.9)), 1e-6);
  EXPECT_EQ(probability_at_any_look(-5), 1);
}

}  // namespace
}  // namespace hiple::gate
