#include <gtest/gtest.h>

#include "condition_sample.hpp"

namespace hiple::condition {
namespace {

TEST(Evidence, IsUnknownWhereThereIsNone) {
  const Sample sample;
  EXPECT_EQ(sample.truth("evidence.TSH > 6 [mU/L]"), "UNKNOWN missing:evidence.TSH");
  EXPECT_EQ(sample.truth("evidence.sick"), "UNKNOWN missing:evidence.sick");
  EXPECT_EQ(sample.truth("evidence.state == \"ill\""), "UNKNOWN missing:evidence.state");
  EXPECT_EQ(sample.truth("evidence.TSH > 6 [mU/L] or true"), "TRUE");
}

TEST(Evidence, IsReadLikeTheColumnThatItIsAbout) {
  Sample sample;
  sample.set("TSH", 3).set_evidence("TSH", 7).set_evidence("sick", 1).set_evidence("state", 1).set_evidence("born", 20000 - 3660);
  EXPECT_EQ(sample.truth("evidence.TSH > 6 [mU/L]"), "TRUE");
  EXPECT_EQ(sample.truth("evidence.TSH > 0.006 [U/L]"), "TRUE");
  EXPECT_EQ(sample.truth("evidence.TSH - TSH > 3.5 [mU/L]"), "TRUE");
  EXPECT_EQ(sample.truth("TSH > 6 [mU/L]"), "FALSE");
  EXPECT_EQ(sample.truth("evidence.sick and not evidence.state == \"none\""), "TRUE");
  EXPECT_EQ(sample.truth("evidence.state in {\"ill\"}"), "TRUE");
  EXPECT_EQ(sample.truth("age(evidence.born) >= 10 [a]"), "TRUE");
  EXPECT_EQ(sample.truth("age(evidence.born) >= 11 [a]"), "FALSE");
}

TEST(Evidence, WhoseSourcesDifferIsUnknownForThatReason) {
  Sample sample;
  sample.contradict("TSH");
  EXPECT_EQ(sample.truth("evidence.TSH > 6 [mU/L] and n > 1"), "UNKNOWN contradictory:evidence.TSH missing:n");
  EXPECT_EQ(sample.truth("known(evidence.TSH)"), "FALSE");
  sample.is_careful = true;
  EXPECT_EQ(sample.truth("known(evidence.TSH)"), "UNKNOWN contradictory:evidence.TSH");
}

TEST(Evidence, CanBeAskedForWhetherItIsThere) {
  Sample sample;
  EXPECT_EQ(sample.truth("known(evidence.state)"), "FALSE");
  sample.set_evidence("state", 0);
  EXPECT_EQ(sample.truth("known(evidence.state)"), "TRUE");
  sample.is_careful = true;
  EXPECT_EQ(sample.truth("known(evidence.TSH)"), "UNKNOWN missing:evidence.TSH");
}

TEST(Evidence, IsPrintedAsItIsRead) {
  const Sample sample;
  for (const char* text :
       {"evidence.TSH > 6 [mU/L]", "known(evidence.TSH)", "age(evidence.born) >= 10 [a]", "not evidence.sick"}) {
    const Condition condition = sample.read(text);
    EXPECT_EQ(condition.canonical(), text);
    EXPECT_EQ(print(condition.root()), text) << "once it is bound";
    EXPECT_EQ(Condition::of(condition.root()).canonical(), text);
  }
  EXPECT_EQ(sample.read("evidence . TSH>6[mU/L]").canonical(), "evidence.TSH > 6 [mU/L]");
  EXPECT_EQ(sample.read("known(evidence.TSH) and evidence.sick").columns(),
            (std::set<std::string>{"evidence.TSH", "evidence.sick"}));
}

TEST(Evidence, IsNotTheColumnOfThatName) {
  Sample sample;
  sample.add("evidence.TSH", Kind::integer);
  sample.set("evidence.TSH", 1).set_evidence("TSH", 7);
  EXPECT_EQ(sample.truth("`evidence.TSH` == 1"), "TRUE");
  EXPECT_EQ(sample.read("`evidence.TSH` == 1").canonical(), "`evidence.TSH` == 1");
  EXPECT_EQ(sample.truth("evidence.TSH > 6 [mU/L]"), "TRUE");
}

TEST(Evidence, CanBeRefusedAsAWhole) {
  Sample sample;
  sample.scope.no_evidence = "the route comes first";
  EXPECT_NE(sample.problem("evidence.TSH > 6 [mU/L]").find("evidence cannot be read here: the route comes first"),
            std::string::npos);
}

}  // namespace
}  // namespace hiple::condition
