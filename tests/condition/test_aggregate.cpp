#include <gtest/gtest.h>

#include "condition_sample.hpp"

namespace hiple::condition {
namespace {

const std::string counted = "count(both, each.label == \"F\")";

TEST(Aggregate, CountIsAnIntervalWhileAnEngineIsUnknown) {
  Sample sample;
  sample.say("hypo", 1, 0.9F).be("hyper", Voice::State::inactive);
  EXPECT_EQ(sample.truth(counted + " >= 1"), "TRUE");
  EXPECT_EQ(sample.truth(counted + " >= 2"), "UNKNOWN inactive:hyper");
  EXPECT_EQ(sample.truth(counted + " >= 3"), "FALSE");
  EXPECT_EQ(sample.truth(counted + " == 0"), "FALSE");
  EXPECT_EQ(sample.truth(counted + " == 1"), "UNKNOWN inactive:hyper");
  EXPECT_EQ(sample.truth(counted + " != 3"), "TRUE");
  EXPECT_EQ(sample.truth(counted + " != 2"), "UNKNOWN inactive:hyper");
  sample.say("hyper", 2, 0.9F);
  EXPECT_EQ(sample.truth(counted + " == 1"), "TRUE");
}

TEST(Aggregate, ExtremesAndMeans) {
  Sample sample;
  sample.say("hypo", 1, 0.5F).say("hyper", 1, 0.25F);
  EXPECT_EQ(sample.truth("min(both.confidence) < 0.3 and max(both.confidence) >= 0.5"), "TRUE");
  EXPECT_EQ(sample.truth("mean(both.confidence) >= 0.375 and mean(both.confidence) <= 0.375"), "TRUE");
  sample.be("hyper", Voice::State::unavailable);
  EXPECT_EQ(sample.truth("min(both.confidence) > 0.5"), "FALSE");
  EXPECT_EQ(sample.truth("min(both.confidence) > 0.4"), "UNKNOWN unavailable:hyper");
  EXPECT_EQ(sample.truth("max(both.confidence) >= 0.5"), "TRUE");
  EXPECT_EQ(sample.truth("mean(both.confidence) >= 0.25"), "TRUE");
  EXPECT_EQ(sample.truth("mean(both.confidence) > 0.75"), "FALSE");
  EXPECT_EQ(sample.truth("mean(both.confidence) > 0.3"), "UNKNOWN unavailable:hyper");
}

TEST(Aggregate, ExtremesOfFloatsMeetLiteralsRoundedToFloat) {
  Sample sample;
  sample.say("hypo", 1, 0.9F).say("hyper", 1, 0.9F);
  EXPECT_EQ(sample.truth("min(both.confidence) >= 0.9 and max(both.confidence) <= 0.9"), "TRUE");
}

TEST(Aggregate, AgreeNeedsTwoVoices) {
  Sample sample;
  sample.say("hypo", 1, 0.9F).say("hyper", 1, 0.9F);
  EXPECT_EQ(sample.truth("agree(both)"), "TRUE");
  sample.say("hyper", 2, 0.9F);
  EXPECT_EQ(sample.truth("agree(both)"), "FALSE");
  sample.be("hyper", Voice::State::abstained);
  EXPECT_EQ(sample.truth("agree(both)"), "UNKNOWN abstained:hyper");
  sample.scope.panels["one"] = {"hypo"};
  EXPECT_EQ(sample.truth("agree(one)"), "UNKNOWN one_group");
}

/// hypo and hyper are one voice, nti another.
Sample grouped() {
  Sample sample;
  sample.scope.engines["hypo"].group = sample.scope.engines["hyper"].group = "hyper";
  return sample;
}

const std::string silent = "count(all, each.label == \"none\")";

TEST(Aggregate, AGroupCountsOnce) {
  Sample sample = grouped();
  sample.say("hypo", 0, 0.9F).say("hyper", 0, 0.9F).say("nti", 1, 0.9F);
  EXPECT_EQ(sample.truth(silent + " == 1"), "TRUE");
  EXPECT_EQ(sample.truth("agree(both)"), "UNKNOWN one_group");
}

TEST(Aggregate, AGroupThatDisagreesSaysNothing) {
  Sample sample = grouped();
  sample.say("hypo", 0, 0.9F).say("hyper", 1, 0.9F).say("nti", 0, 0.9F);
  EXPECT_EQ(sample.truth(silent + " >= 1"), "TRUE");
  EXPECT_EQ(sample.truth(silent + " >= 2"), "UNKNOWN disagree:hyper");
  EXPECT_EQ(sample.truth("agree(both)"), "UNKNOWN disagree:hyper");
}

TEST(Aggregate, AnAbstainerIsLeftOutWhereAnotherOfItsGroupSpoke) {
  Sample sample = grouped();
  sample.say("hypo", 0, 0.9F).be("hyper", Voice::State::abstained).say("nti", 1, 0.9F);
  EXPECT_EQ(sample.truth(silent + " == 1"), "TRUE");
  sample.be("hypo", Voice::State::invalid);
  EXPECT_EQ(sample.truth(silent + " == 1"), "UNKNOWN abstained:hyper invalid:hypo");
  sample.be("hypo", Voice::State::inactive);  // it may yet speak
  EXPECT_EQ(sample.truth(silent + " == 1"), "UNKNOWN inactive:hypo");
}

TEST(Aggregate, AConditionOfColumnsAndEach) {
  Sample sample;
  sample.say("hypo", 1, 0.9F).say("hyper", 1, 0.5F);
  EXPECT_EQ(sample.truth("count(both, each.confidence > 0.8 and n > 1) == 0"), "UNKNOWN missing:n");
  sample.set("n", 2);
  EXPECT_EQ(sample.truth("count(both, each.confidence > 0.8 and n > 1) == 1"), "TRUE");
}

}  // namespace
}  // namespace hiple::condition
