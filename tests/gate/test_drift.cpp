#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "gate/drift.hpp"
#include "gate/sequence.hpp"

namespace hiple::gate {
namespace {

std::vector<Watched> drawn(std::mt19937& random, std::size_t windows, std::size_t n, double before, double after,
                           std::size_t change) {
  std::vector<Watched> result;
  for (std::size_t i = 0; i < windows; ++i) {
    std::binomial_distribution<std::uint64_t> draw(n, i < change ? before : after);
    result.push_back({draw(random), n});
  }
  return result;
}

TEST(Drift, OneWindowIsTheMeanOfItsEvidenceAndOfNone) {
  const std::vector<Watched> one = {{9, 20}};
  EXPECT_NEAR(rise_above(one, 0.1).log_evidence, std::log(0.5 * std::exp(log_evidence_above(9, 20, 0.1)) + 0.5), 1e-12);
  EXPECT_EQ(rise_above({}, 0.1).log_evidence, 0);
}

/// At any of all looks together, 5 in 100 at most.
TEST(Drift, SaysSeldomThatWhatDidNotRiseRose) {
  std::mt19937 random(4);
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto windows = drawn(random, 40, 50, 0.05, 0.05, 40);
    wrong += probability_at_any_look(rise_above(windows, 0.05).log_evidence) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(wrong, 100);
}

TEST(Drift, FindsARiseAfterALongGoodTimeAndSinceWhen) {
  std::mt19937 random(5);
  int found = 0, near = 0;
  for (int i = 0; i < 100; ++i) {
    const auto windows = drawn(random, 60, 50, 0.03, 0.2, 50);
    const Drift drift = rise_above(windows, 0.05);
    found += probability_at_any_look(drift.log_evidence) <= 0.05 ? 1 : 0;
    near += drift.since >= 48 && drift.since <= 52 ? 1 : 0;
    EXPECT_GE(drift.seen, drift.since);
  }
  EXPECT_GE(found, 99);
  EXPECT_GE(near, 95);
}

TEST(Drift, WhatWasShownOnceStaysShown) {
  std::vector<Watched> windows(5, {20, 50});
  const double shown = rise_above(windows, 0.05).log_evidence;
  windows.resize(60, {0, 50});
  const Drift drift = rise_above(windows, 0.05);
  EXPECT_DOUBLE_EQ(drift.log_evidence, shown);
  EXPECT_EQ(drift.seen, 4U);
  EXPECT_EQ(drift.since, 0U);
}

TEST(Drift, RefusesCountsOverN) {
  const std::vector<Watched> wrong = {{3, 2}};
  EXPECT_THROW(rise_above(wrong, 0.1), Error);
  const std::vector<Watched> one = {{1, 2}};
  EXPECT_THROW(rise_above(one, 1), Error);
}

}  // namespace
}  // namespace hiple::gate
