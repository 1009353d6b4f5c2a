#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "engine/covariance.hpp"
#include "engine/typicality.hpp"

namespace hiple::engine {
namespace {

struct Cloud {
  std::vector<float> values;
  std::vector<std::int32_t> classes;
  [[nodiscard]] Activations view() const { return {values, classes}; }
};

/// Class k around (4 k, 0), deviations 1 and 3, in two dimensions.
Cloud cloud(std::size_t rows, std::int32_t classes, std::uint64_t seed) {
  PhiloxStream random(Philox(seed, "cloud"), 0, 0, 0);
  Cloud result;
  result.values.reserve(2 * rows);
  result.classes.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto own = static_cast<std::int32_t>(random.next_below(static_cast<std::uint32_t>(classes)));
    result.values.push_back(static_cast<float>(4 * own + random.next_normal()));
    result.values.push_back(static_cast<float>(3 * random.next_normal()));
    result.classes.push_back(own);
  }
  return result;
}

TEST(Covariance, FactorIsThatOfTheScatter) {
  const Cloud points = cloud(20000, 2, 1);
  const ClassMeans means = class_means(2, 2, points.view());
  EXPECT_NEAR(means.means[2], 4.0, 0.05);
  const auto factor = covariance_factor(2, means, points.view());
  EXPECT_NEAR(factor[0], 1.0, 0.03);
  EXPECT_NEAR(factor[2], 0.0, 0.05);
  EXPECT_EQ(factor[1], 0.0);
  EXPECT_NEAR(factor[3], 3.0, 0.05);
}

/// The estimator as Ledoit and Wolf write it, with sums over rows, on a case small enough to follow.
TEST(Covariance, ShrinksAsLedoitAndWolfWrite) {
  const std::vector<float> x = {1, 0, -1, 2, 0, -2, 3, 1, -3, -1};
  const std::vector<std::int32_t> one(5, 0);
  const auto factor = covariance_factor(2, class_means(2, 1, {x, one}), {x, one});
  double s[2][2] = {}, error = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) s[a][b] += x[2 * i + a] * x[2 * i + b] / 5.0;
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) error += std::pow(x[2 * i + a] * x[2 * i + b] - s[a][b], 2) / 25.0;
    }
  }
  const double scale = (s[0][0] + s[1][1]) / 2;
  const double distance = std::pow(s[0][0] - scale, 2) + std::pow(s[1][1] - scale, 2) + 2 * s[0][1] * s[0][1];
  const double weight = std::min(1.0, error / distance);
  EXPECT_NEAR(factor[0] * factor[0], (1 - weight) * s[0][0] + weight * scale, 1e-12);
  EXPECT_NEAR(factor[0] * factor[2], (1 - weight) * s[0][1], 1e-12);
}

TEST(Covariance, UnitsThatNeverFireGetAVariance) {
  const std::vector<float> x = {1, 0, -1, 0, 2, 0, -2, 0};
  const std::vector<std::int32_t> one(4, 0);
  EXPECT_GT(covariance_factor(2, class_means(2, 1, {x, one}), {x, one})[3], 0.0);
  const std::vector<float> zeros(8, 0.0F);
  EXPECT_EQ(covariance_factor(2, class_means(2, 1, {zeros, one}), {zeros, one}), (std::vector<double>{1, 0, 0, 1}));
}

TEST(Covariance, WhiteningSolvesWithTheFactor) {
  std::vector<double> rows = {2, 7, 4, 2};
  whiten(2, {2, 0, 1, 3}, rows);
  EXPECT_EQ(rows, (std::vector<double>{1, 2, 2, 0}));
}

TEST(Typicality, FewOfItsOwnKindAreStrange) {
  const Cloud training = cloud(2000, 3, 1), calibration = cloud(1500, 3, 2), fresh = cloud(20000, 3, 3);
  const Typicality typicality = Typicality::fit(2, 3, training.view(), calibration.view());
  std::vector<float> p(fresh.classes.size());
  typicality.p_values(fresh.values, p);
  for (const float bound : {0.01F, 0.05F, 0.2F}) {
    double below = 0;
    for (const float value : p) below += value < bound ? 1 : 0;
    EXPECT_LE(below / 20000.0, bound * 1.2F);
  }
}

TEST(Typicality, AFarCaseHasTheSmallestPossibleValue) {
  const Cloud training = cloud(2000, 3, 1), calibration = cloud(1500, 3, 2);
  const Typicality typicality = Typicality::fit(2, 3, training.view(), calibration.view());
  std::vector<float> p(2);
  typicality.p_values(std::vector<float>{4, 0, 1e6F, -1e6F}, p);
  EXPECT_GT(p[0], 0.9F);
  EXPECT_FLOAT_EQ(p[1], static_cast<float>(typicality.resolution()));
  EXPECT_LT(p[1], 0.003F);
}

TEST(Typicality, CountsScoresAsTheDefinitionSays) {
  Typicality::Parameters parameters{1, {1.0}, {0.0}, {1}, {{1, 4, 9}}};
  const Typicality typicality(parameters);
  std::vector<float> p(4);
  typicality.p_values(std::vector<float>{0, 2, 2.5F, 4}, p);
  EXPECT_FLOAT_EQ(p[0], 1.0F);
  EXPECT_FLOAT_EQ(p[1], 0.75F);  // a tie counts
  EXPECT_FLOAT_EQ(p[2], 0.5F);
  EXPECT_FLOAT_EQ(p[3], 0.25F);
}

TEST(Typicality, AClassWithFewRowsIsComparedWithAll) {
  std::vector<double> many(198);
  std::iota(many.begin(), many.end(), 0.0);
  const Typicality typicality({1, {1.0}, {0.0, 1000.0}, {1, 1}, {many, {0.5}}});
  EXPECT_NEAR(typicality.resolution(), 1.0 / 199.0, 1e-12);
  std::vector<float> p(1);
  typicality.p_values(std::vector<float>{1100}, p);  // 10000 from the second class: none of 199 scores is as large
  EXPECT_FLOAT_EQ(p[0], 1.0F / 199.0F);
}

TEST(Typicality, AClassThatTrainingLacksTakesNoPart) {
  const Cloud calibration{{0, 0, 100, 100}, {0, 1}};
  const Typicality typicality =
      Typicality::fit(2, 2, {std::vector<float>{0, 0, 1, 1}, std::vector<std::int32_t>{0, 0}}, calibration.view());
  EXPECT_EQ(typicality.parameters().scores[1].size(), 0U);
  EXPECT_DOUBLE_EQ(typicality.resolution(), 0.5);
}

TEST(Typicality, RefusesSizesThatDoNotFit) { EXPECT_THROW(Typicality({2, {1.0}, {0.0, 0.0}, {1}, {{}}}), Error); }

}  // namespace
}  // namespace hiple::engine
