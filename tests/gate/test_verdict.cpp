#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gate/verdict.hpp"

namespace hiple::gate {
namespace {

using testing::HasSubstr;

Figures perfect() {
  Figures figures;
  figures.needed_is_stated = true;
  figures.recall = {100, 100};
  figures.silent = {0, 299};
  figures.strict = {0, 299};
  figures.found = {100, 100};
  figures.cost = {300, 1000};
  figures.questions.resize(2);
  figures.questions[0].question = "p";
  figures.questions[0].has_truth = true;
  figures.questions[0].over_triage = {10, 100};
  figures.questions[0].outcomes.decided = 100;
  figures.questions[1].question = "q";
  figures.questions[1].outcomes.decided = 100;
  return figures;
}

Gate gate(const Figures& figures, const std::string& name, const Thresholds& thresholds = {}) {
  for (const Gate& gate : judge(figures, thresholds)) {
    if (gate.name == name) return gate;
  }
  ADD_FAILURE() << "no gate " << name;
  return {};
}

TEST(Verdict, PassesWhereTheBoundKeepsToTheThreshold) {
  for (const Gate& gate : judge(perfect(), {.coverage = 0.9, .cost = 0.4, .found = 0.9}))
    EXPECT_EQ(name_of(gate.verdict), "PASS") << gate.name << ": " << gate.bound;
  EXPECT_EQ(judge(perfect(), {}).size(), 4U) << "what has no threshold is not gated";
  const Gate silent = gate(perfect(), "cmr_silent");
  EXPECT_EQ(silent.counts, "0/299");
  EXPECT_EQ(silent.value, 0);
  EXPECT_NEAR(silent.bound, 0.00997, 1e-5);
  EXPECT_TRUE(silent.at_most);
}

TEST(Verdict, IsOpenWithoutCases) {
  const Gate nothing = gate({}, "cmr_silent");
  EXPECT_EQ(name_of(nothing.verdict), "NOT_EVALUABLE");
  EXPECT_EQ(nothing.why, "nothing to measure");
  EXPECT_TRUE(std::isnan(nothing.value));
  EXPECT_TRUE(std::isnan(nothing.bound));
  for (const Gate& gate : judge({}, {.coverage = 0.0, .cost = 1.0, .found = 0.0}))
    EXPECT_EQ(gate.verdict, Verdict::not_evaluable) << gate.name;
}

TEST(Verdict, IsOpenWhereNoMissCouldPass) {
  Figures figures = perfect();
  figures.silent = {0, 298};
  EXPECT_EQ(gate(figures, "cmr_silent").verdict, Verdict::not_evaluable);
  EXPECT_EQ(gate(figures, "cmr_silent").why, "needs n >= 299");
  figures.recall = {58, 58};
  EXPECT_EQ(gate(figures, "cbr").why, "needs n >= 59");
  figures.needed_is_stated = false;
  figures.recall = {};
  EXPECT_THAT(gate(figures, "cbr").why, HasSubstr("no needed engines"));
  EXPECT_EQ(gate(figures, "cmr_strict", {.cmr_strict = 0.0}).why, "no number of cases can prove it");
}

TEST(Verdict, FailsOnlyWhereThatIsProved) {
  Figures figures = perfect();
  figures.silent = {4, 300};
  EXPECT_EQ(gate(figures, "cmr_silent").verdict, Verdict::not_evaluable);
  EXPECT_EQ(gate(figures, "cmr_silent").why, "neither is proved");
  figures.silent = {30, 300};
  EXPECT_EQ(gate(figures, "cmr_silent").verdict, Verdict::fail);
  figures.recall = {10, 100};
  EXPECT_EQ(gate(figures, "cbr").verdict, Verdict::fail);
  figures.cost = {900, 1000};
  EXPECT_EQ(gate(figures, "cost", {.cost = 0.5}).verdict, Verdict::fail);
}

TEST(Verdict, TheWorstQuestionIsGated) {
  Figures figures = perfect();
  figures.questions[1].has_truth = true;
  figures.questions[1].over_triage = {90, 100};
  const Gate failed = gate(figures, "over_triage");
  EXPECT_EQ(failed.verdict, Verdict::fail);
  EXPECT_EQ(failed.counts, "90/100");
  EXPECT_THAT(failed.why, HasSubstr("worst: q"));
  figures.questions[1].over_triage = {};
  EXPECT_EQ(gate(figures, "over_triage").verdict, Verdict::not_evaluable) << "a question without cases closes the gate";
}

}  // namespace
}  // namespace hiple::gate
