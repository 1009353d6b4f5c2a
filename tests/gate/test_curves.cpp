#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "gate/curves.hpp"
#include "gate/engine_figures.hpp"

namespace hiple::gate {
namespace {

TEST(RiskCurve, AreasAreMeansOverCases) {
  // Surest first: right, wrong, right, right. Risks 0, 1/2, 1/3, 1/4; errors over all 0, 1/4, 1/4, 1/4.
  const RiskCurve curve = risk_curve({{true, 0.6, false}, {true, 0.9, false}, {true, 0.8, true}, {true, 0.7, false}});
  EXPECT_NEAR(curve.aurc, (0 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 4, 1e-12);
  EXPECT_NEAR(curve.augrc, (0 + 3 * 0.25) / 4, 1e-12);
  EXPECT_EQ(curve.coverage, 1);
  ASSERT_EQ(curve.points.size(), 4U);
  EXPECT_EQ(curve.points[1].accepted, 2U);
  EXPECT_EQ(curve.points[1].wrong, 1U);
}

/// At a threshold all cases of one score are accepted or none; the areas do not depend on the order among them.
TEST(RiskCurve, TiesAreAcceptedTogether) {
  const std::vector<Scored> one = {{true, 0.5, true}, {true, 0.5, false}}, other = {{true, 0.5, false}, {true, 0.5, true}};
  EXPECT_EQ(risk_curve(one).points.size(), 1U);
  EXPECT_NEAR(risk_curve(one).aurc, 0.5, 1e-12);
  EXPECT_NEAR(risk_curve(one).augrc, (0.25 + 0.5) / 2, 1e-12);
  EXPECT_EQ(risk_curve(one).aurc, risk_curve(other).aurc);
  EXPECT_EQ(risk_curve(one).augrc, risk_curve(other).augrc);
}

TEST(RiskCurve, WhatIsNotDecidedIsNeverAcceptedAndStaysInTheDenominator) {
  const RiskCurve curve = risk_curve({{true, 0.9, true}, {false, 1.0, false}, {false, std::nan(""), false}, {true, 0.5, false}});
  EXPECT_EQ(curve.coverage, 0.5);
  EXPECT_EQ(curve.points.back().accepted, 2U);
  EXPECT_NEAR(curve.augrc, (0.25 + 0.25) / 4, 1e-12);
  const RiskCurve none = risk_curve({{false, 0, false}});
  EXPECT_EQ(none.coverage, 0);
  EXPECT_EQ(none.aurc, 0);
  EXPECT_TRUE(none.points.empty());
  EXPECT_TRUE(std::isnan(risk_curve({}).aurc)) << "no cases are not a perfect curve";
  EXPECT_THROW(risk_curve({{true, std::nan(""), false}}), Error);
}

Judgments judgments() {
  Judgments j;
  j.engine = "e1";
  j.classes = {"no", "yes"};
  j.case_id = {1, 2, 3, 4};
  j.label = {1, 1, 0, no_label};
  j.confidence = {0.9F, 0.6F, 0.8F, std::numeric_limits<float>::quiet_NaN()};
  j.probability = {0.1F, 0.9F, 0.4F, 0.6F, 0.8F, 0.2F, 0.5F, 0.5F};
  j.status = {JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::abstained};
  return j;
}

TEST(EngineFigures, ConfusionAndCalibration) {
  const std::vector<std::uint64_t> ids = {1, 2, 3, 4, 9};
  const std::vector<std::uint16_t> target = {1, 0, 0, 1, 1};  // case 9 is absent
  const EngineFigures f = measure_engine(judgments(), ids, target);
  EXPECT_EQ(f.rows, 5U);
  EXPECT_EQ(f.judged, 3U);
  EXPECT_EQ(f.right, 2U);
  EXPECT_EQ(f.confusion, (std::vector<std::uint64_t>{1, 1, 0, 0, 1, 2}));
  EXPECT_NEAR(f.brier, (2 * 0.01 + 2 * 0.36 + 2 * 0.04) / 3, 1e-6);
  EXPECT_NEAR(f.ece, (0.1 + 0.6 + 0.2) / 3, 1e-6);  // each in a bin of its own
  EXPECT_EQ(f.bins[13].count, 1U);
  EXPECT_EQ(f.bins[13].right, 1U);
}

TEST(EngineFigures, MissingTruthAndNothingJudged) {
  const std::vector<std::uint64_t> ids = {1, 4};
  const EngineFigures f = measure_engine(judgments(), ids, std::vector<std::uint16_t>{no_label, 1});
  EXPECT_EQ(f.unknown, 1U);
  EXPECT_EQ(f.judged, 0U);
  EXPECT_TRUE(std::isnan(f.ece)) << "an engine that never spoke is not well calibrated";
  EXPECT_TRUE(std::isnan(f.brier));
  Judgments regression = judgments();
  regression.classes.clear();
  EXPECT_THROW(measure_engine(regression, ids, std::vector<std::uint16_t>{0, 0}), Error);
}

TEST(EngineFigures, CertaintyFallsIntoTheLastBin) {
  Judgments j = judgments();
  j.confidence[0] = 1;
  EXPECT_EQ(measure_engine(j, std::vector<std::uint64_t>{1}, std::vector<std::uint16_t>{1}).bins[14].count, 1U);
}

TEST(Scores, TheLeastConfidenceOfThoseWhoWereAskedAndSpoke) {
  law::Decisions d;
  d.questions = {"q"};
  d.engines = {{"e1", true, "", ""}, {"e2", true, "", ""}};
  d.case_id = {1, 2, 4, 7};
  d.consulted = {3, 1, 3, 3};
  d.rounds = {0, 0, 0, 0};
  d.decisions.assign(4, law::Decision{});
  Judgments other = judgments();
  other.engine = "e2";
  other.confidence = {0.7F, 0.1F, 0.5F, 0.3F};
  other.status[3] = JudgmentStatus::judged;
  const Judgments first = judgments();
  const std::vector<double> scores = scores_of(d, {{"e1", &first, "", ""}, {"e2", &other, "", ""}});
  EXPECT_FLOAT_EQ(static_cast<float>(scores[0]), 0.7F);
  EXPECT_FLOAT_EQ(static_cast<float>(scores[1]), 0.6F) << "e2 was not asked";
  EXPECT_FLOAT_EQ(static_cast<float>(scores[2]), 0.3F) << "e1 abstained";
  EXPECT_EQ(scores[3], 0) << "nobody knows case 7";
}

}  // namespace
}  // namespace hiple::gate
