#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "gate/verdict.hpp"

namespace hiple::gate {
namespace {

using testing::HasSubstr;

Figures perfect() {
  Figures figures;
  figures.basis = Basis::stated;
  figures.recall = {100, 100};
  figures.rows = 1000;
  figures.boundaries = {{"a", "b", "root", {100, 100}}};
  figures.silent = {0, 299};
  figures.strict = {0, 299};
  figures.found = {100, 100};
  figures.cost = {300, 1000};
  figures.questions.resize(2);
  figures.questions[0].question = "p";
  figures.questions[0].has_truth = true;
  figures.questions[0].over_triage = {10, 100};
  figures.questions[0].decided = {100, 100};
  figures.questions[1].question = "q";
  figures.questions[1].decided = {100, 100};
  return figures;
}

Gate gate(const Figures& figures, const std::string& name, const Thresholds& thresholds = {}) {
  for (const Gate& gate : judge(figures, thresholds).gates) {
    if (gate.name == name) return gate;
  }
  ADD_FAILURE() << "no gate " << name;
  return {};
}

TEST(Verdict, PassesWhereTheBoundKeepsToTheThreshold) {
  Figures paired = perfect();
  paired.against_flat = {{2, 1000}, {5, 1000}};
  const Judged judged = judge(paired, {.coverage = 0.9, .cost = 0.4, .found = 0.9, .not_worse = 0.01});
  for (const Gate& gate : judged.gates) EXPECT_EQ(name_of(gate.verdict), "PASS") << gate.name << ": " << gate.bound;
  EXPECT_TRUE(judged.passed());
  EXPECT_EQ(judged.gates.size(), 9U);
  EXPECT_EQ(judge(perfect(), {}).gates.size(), 5U) << "what has no threshold is not gated";
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
  const Judged judged = judge({}, {.coverage = 0.0, .cost = 1.0, .found = 0.0, .not_worse = 1.0});
  EXPECT_FALSE(judged.passed());
  EXPECT_FALSE(Judged{}.passed()) << "no gate at all trusts nothing";
  for (const Gate& gate : judged.gates) EXPECT_EQ(gate.verdict, Verdict::not_evaluable) << gate.name;
}

TEST(Verdict, IsOpenWhereNoMissCouldPass) {
  Figures figures = perfect();
  figures.silent = {0, 298};
  EXPECT_EQ(gate(figures, "cmr_silent").verdict, Verdict::not_evaluable);
  EXPECT_EQ(gate(figures, "cmr_silent").why, "needs n >= 299");
  figures.recall = {58, 58};
  EXPECT_EQ(gate(figures, "cbr").why, "needs n >= 59");
  figures.basis = Basis::none;
  figures.recall = {};
  EXPECT_THAT(gate(figures, "cbr").why, HasSubstr("not known which engines are needed"));
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

TEST(Verdict, ABoundEqualToTheThresholdPasses) {
  Figures figures = perfect();
  const double bound = gate(figures, "cmr_silent").bound;
  EXPECT_EQ(gate(figures, "cmr_silent", {.cmr_silent = bound}).verdict, Verdict::pass);
  EXPECT_EQ(gate(figures, "cmr_silent", {.cmr_silent = std::nextafter(bound, 0)}).verdict, Verdict::not_evaluable);
  const double recall = gate(figures, "cbr").bound;
  EXPECT_EQ(gate(figures, "cbr", {.cbr = recall}).verdict, Verdict::pass);
  EXPECT_EQ(gate(figures, "cbr", {.cbr = std::nextafter(recall, 1)}).verdict, Verdict::not_evaluable);
}

TEST(Verdict, BoundsAreOfClustersWhereThereAreAny) {
  Figures figures = perfect();
  figures.silent = {1, 3000, 1, 100};
  const Gate clustered = gate(figures, "cmr_silent");
  EXPECT_EQ(clustered.verdict, Verdict::not_evaluable);
  EXPECT_EQ(clustered.counts, "1/3000, clusters 1/100");
  EXPECT_EQ(clustered.why, "needs clusters >= 299");
  figures.silent = {1, 3000};
  EXPECT_EQ(gate(figures, "cmr_silent").verdict, Verdict::pass);
}

TEST(Verdict, OverFivePerCentWithoutTruthShowTheWorstCase) {
  Figures figures = perfect();
  figures.unknown = 50;  // of 1000: five per cent are not over it
  EXPECT_FALSE(gate(figures, "cmr_silent").worst);
  figures.unknown = 51;
  const Gate silent = gate(figures, "cmr_silent");
  ASSERT_TRUE(silent.worst);
  EXPECT_EQ(silent.verdict, Verdict::pass);
  EXPECT_EQ(silent.worst->share.count, 51U);
  EXPECT_EQ(silent.worst->share.n, 350U);
  EXPECT_EQ(silent.worst->verdict, Verdict::fail);
  const Gate recall = gate(figures, "cbr");
  EXPECT_EQ(recall.worst->share.count, 100U);
  EXPECT_EQ(recall.worst->share.n, 151U);
  figures.questions[0].unknown = 60;
  EXPECT_EQ(gate(figures, "over_triage").worst->share.count, 70U);
}

TEST(Verdict, NotWorseThanAllEnginesTogether) {
  Figures figures = perfect();
  const auto verdict = [&](Paired paired, double margin) {
    figures.against_flat = paired;
    return gate(figures, "not_worse", {.not_worse = margin});
  };
  const Gate even = verdict({{10, 1000}, {10, 1000}}, 0.02);
  EXPECT_EQ(even.value, 0);
  EXPECT_NEAR(even.bound, 0.018313 - 0.004807, 2e-5) << "97.5 % bounds of 10 of 1000 (Clopper and Pearson)";
  EXPECT_EQ(even.verdict, Verdict::pass);
  EXPECT_EQ(verdict({{10, 1000}, {10, 1000}}, 0.01).verdict, Verdict::not_evaluable);
  EXPECT_EQ(verdict({{200, 1000}, {10, 1000}}, 0.02).verdict, Verdict::fail);
  EXPECT_EQ(verdict({}, 0.02).why, "nothing to compare with");
}

class BoundaryVerdict : public testing::Test {
 protected:
  BoundaryVerdict() : figures_(perfect()) {}
  /// Engine a to `to`.
  void add(const std::string& to, std::uint64_t count, std::uint64_t n) {
    figures_.boundaries.push_back({"a", to, "root", {count, n}});
  }
  [[nodiscard]] const BoundaryGate& boundary(const Judged& judged, const std::string& name) const {
    for (const BoundaryGate& gate : judged.boundaries)
      if (gate.figures.name() == name) return gate;
    throw Error("no boundary " + name);
  }
  Figures figures_;
};

TEST_F(BoundaryVerdict, TheWorstIsTheHeadline) {
  add("c", 70, 100);
  const Judged judged = judge(figures_, {});
  EXPECT_EQ(judged.boundaries.front().figures.name(), "a -> c");
  EXPECT_EQ(boundary(judged, "a -> b").verdict, Verdict::pass);
  EXPECT_EQ(boundary(judged, "a -> c").verdict, Verdict::fail);
  const Gate all = judged.gates[1];
  EXPECT_EQ(all.name, "boundaries");
  EXPECT_EQ(all.verdict, Verdict::fail);
  EXPECT_EQ(all.counts, "70/100");
  EXPECT_EQ(all.why, "worst: a -> c");
}

TEST_F(BoundaryVerdict, AWaivedBoundaryNeedNotPass) {
  add("c", 70, 100);
  const Judged judged = judge(figures_, {}, {{"a -> c", "J. Doe", "2026-11-30", "known", {}}});
  EXPECT_EQ(judged.gates[1].verdict, Verdict::pass);
  EXPECT_EQ(judged.gates[1].why, "worst: a -> b; 1 waived");
  EXPECT_EQ(boundary(judged, "a -> c").verdict, Verdict::fail) << "it is waived, not passed";
  EXPECT_EQ(boundary(judged, "a -> c").waiver->by, "J. Doe");
  EXPECT_EQ(judge(figures_, {}, {{"a -> b", "J. Doe", "2026-11-30", "", {}}}).gates[1].verdict, Verdict::fail);
}

TEST_F(BoundaryVerdict, ThoseWithTooFewCasesCountTogether) {
  add("c", 30, 30);
  add("d", 28, 29);
  figures_.pooled = {{"pooled", {}, {}, {58, 59}}};
  const Judged judged = judge(figures_, {});
  EXPECT_TRUE(boundary(judged, "a -> c").is_pooled);
  EXPECT_EQ(judged.gates[1].verdict, Verdict::not_evaluable);
  EXPECT_EQ(judged.gates[1].why, "worst: pooled, neither is proved");
  figures_.pooled[0].recall = {59, 59};
  EXPECT_EQ(judge(figures_, {}).gates[1].verdict, Verdict::pass);
}

/// P(at most 88 of 100 | .95) = .0043, P(at most 91) = .063: alone 89 of 100 (.0115) is refuted, beside nine others it is not.
TEST_F(BoundaryVerdict, HolmNamesWhichFail) {
  figures_.boundaries.clear();
  add("c", 89, 100);
  EXPECT_EQ(judge(figures_, {}).boundaries[0].verdict, Verdict::fail);
  for (int i = 0; i < 9; ++i) add("d" + std::to_string(i), 95, 100);
  EXPECT_EQ(boundary(judge(figures_, {}), "a -> c").verdict, Verdict::not_evaluable);
  EXPECT_EQ(judge(figures_, {}).gates[1].verdict, Verdict::not_evaluable) << "it is not passed either";
}

TEST_F(BoundaryVerdict, NoBoundaryIsNotEvaluable) {
  figures_.boundaries.clear();
  EXPECT_EQ(judge(figures_, {}).gates[1].why, "nothing to measure");
  EXPECT_FALSE(judge(figures_, {}).passed());
}

}  // namespace
}  // namespace hiple::gate
