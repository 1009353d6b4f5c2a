#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "gate/figures.hpp"

namespace hiple::gate {
namespace {

using law::Decision;
using law::no_index;
using law::no_rule_index;
using law::Reason;
using law::Status;

void expect_share(const Share& share, std::uint64_t count, std::uint64_t n, const char* what) {
  EXPECT_EQ(share.count, count) << what;
  EXPECT_EQ(share.n, n) << what;
}

/// Two questions, p: none (0), x (1, critical, covered by itself and y), y (2); q: none (0), z (1). Two engines.
class FiguresTest : public testing::Test {
 protected:
  FiguresTest() {
    decisions_.questions = {"p", "q"};
    decisions_.findings = {{"none", "x", "y"}, {"none", "z"}};
    decisions_.engines = {{"e1", true, "", ""}, {"e2", true, "", ""}};
    truth_.known_question = {true, true};
    law_.covered_by["p.x"] = {"p.x", "p.y"};
    law_.defaults = {{"p", "none"}, {"q", "none"}};
    words_[0].engine = "e1";
    words_[1].engine = "e2";
  }
  static Decision decide(std::uint16_t finding) { return Decision{Status::decide, Reason::none, 0, finding, 0}; }
  static Decision abstain(Reason reason = Reason::conflict) {
    return Decision{Status::abstain, reason, 0, no_index, no_rule_index};
  }
  static Decision escalate(std::uint8_t flags = 0) {
    return Decision{Status::escalate, Reason::law, flags, no_index, no_rule_index};
  }

  /// One case: true findings, decisions, the bit set of engines consulted; every engine judged it.
  void add(std::uint16_t gold_p, std::uint16_t gold_q, Decision p, Decision q, std::uint64_t consulted = 3) {
    decisions_.case_id.push_back(decisions_.case_id.size() + 1);
    decisions_.decisions.insert(decisions_.decisions.end(), {p, q});
    decisions_.consulted.push_back(consulted);
    truth_.gold.insert(truth_.gold.end(), {gold_p, gold_q});
    truth_.also.insert(truth_.also.end(), {no_index, no_index});
    for (Judgments& judgments : words_) {
      judgments.case_id.push_back(decisions_.case_id.back());
      judgments.status.push_back(JudgmentStatus::judged);
    }
  }
  Figures figures() {
    std::vector<std::uint32_t> rows(decisions_.cases());
    std::iota(rows.begin(), rows.end(), 0U);
    return figures_of(rows);
  }
  Figures figures_of(const std::vector<std::uint32_t>& rows) {
    const std::vector<law::EngineJudgments> engines = {{"e1", &words_[0], "", ""}, {"e2", dead_ ? nullptr : &words_[1], "", ""}};
    return measure({decisions_, truth_, law_, gates_, engines, flat_, home_, links_, 7}, rows);
  }
  const law::Decisions *flat_ = nullptr, *home_ = nullptr, *links_ = nullptr;
  law::Decisions decisions_;
  Truth truth_;
  LawFacts law_;
  GatesConfig gates_;
  std::array<Judgments, 2> words_;
  bool dead_ = false;
};

TEST_F(FiguresTest, ExactSetAndQuestions) {
  add(0, 0, decide(0), decide(0));
  add(2, 1, decide(2), decide(0));
  add(0, 0, abstain(), decide(0));
  add(0, 0, escalate(), decide(0));
  const Figures f = figures();
  EXPECT_EQ(f.rows, 4U);
  expect_share(f.exact, 1, 4, "an abstention or escalation is not right");
  expect_share(f.coverage, 2, 4, "coverage");
  EXPECT_EQ(f.questions[0].right, 2U);
  EXPECT_EQ(f.questions[0].wrong, 0U);
  EXPECT_EQ(f.questions[0].abstained, 1U);
  EXPECT_EQ(f.questions[0].escalated, 1U);
  EXPECT_EQ(f.questions[1].right, 3U);
  EXPECT_EQ(f.questions[1].wrong, 1U);
  expect_share(f.questions[0].coverage(), 2, 4, "coverage of p");
  expect_share(f.questions[1].selective_risk(), 1, 4, "risk of q");
  expect_share(f.questions[0].over_triage, 1, 4, "over-triage of p");
  expect_share(f.questions[1].over_triage, 0, 4, "over-triage of q");
  EXPECT_EQ(f.outcomes.decided, 6U);
  EXPECT_EQ(f.outcomes.abstained_for[static_cast<std::size_t>(Reason::conflict)], 1U);
  EXPECT_EQ(f.outcomes.escalated_for[static_cast<std::size_t>(Reason::law)], 1U);
}

TEST_F(FiguresTest, CriticalMisses) {
  add(1, 0, decide(1), decide(0));
  add(1, 0, decide(2), decide(0));  // y covers x
  add(1, 0, decide(0), decide(0));  // silent
  add(1, 0, abstain(), decide(0));  // dropped
  add(1, 0, escalate(), decide(0));
  add(0, 0, decide(0), escalate());  // not critical
  const Figures f = figures();
  expect_share(f.silent, 1, 5, "silent");
  expect_share(f.strict, 2, 5, "strict");
  expect_share(f.questions[0].silent, 1, 5, "silent in p");
  expect_share(f.questions[0].strict, 2, 5, "strict in p");
  expect_share(f.questions[1].silent, 0, 0, "q has nothing critical");
  expect_share(f.questions[0].over_triage, 0, 1, "over-triage in p");
  EXPECT_TRUE(std::isnan(f.questions[1].silent.ratio()));
}

TEST_F(FiguresTest, ASecondRightFindingIsRightButExcusesNoCriticalMiss) {
  add(1, 0, decide(0), decide(0));
  truth_.also[0] = 0;
  add(2, 0, decide(1), decide(0));
  truth_.also[2] = 1;
  const Figures f = figures();
  expect_share(f.exact, 2, 2, "exact");
  expect_share(f.silent, 1, 1, "silent");
}

TEST_F(FiguresTest, CrossBoundaryByFindings) {
  add(2, 1, decide(2), decide(1));                         // found
  add(2, 1, escalate(), decide(1));                        // found, by escalation in its own question
  add(2, 1, decide(2), abstain());                         // an abstention finds nothing
  add(2, 1, decide(2), decide(0));                         // wrong
  add(2, 1, decide(2), escalate(law::flag::gate_closed));  // everything is escalated: not for its own sake
  add(1, 1, decide(0), decide(1));                         // a silent critical miss across a boundary
  add(2, 0, decide(2), decide(0));                         // one finding only
  const Figures f = figures();
  EXPECT_EQ(f.basis, Basis::none);
  expect_share(f.found, 2, 6, "found");
  expect_share(f.recall, 0, 0, "recall without needed engines");
  expect_share(f.silent_cross, 1, 1, "silent and cross-boundary");
}

TEST_F(FiguresTest, CrossBoundaryByEngines) {
  gates_.needed = {{"p", {"e1"}}, {"p.y", {"e1", "e2"}}, {"q", {"e2"}}};
  add(1, 1, decide(1), decide(1));     // needs both, has both
  add(2, 0, decide(2), decide(0), 1);  // one finding that needs both, has one
  add(1, 0, decide(1), decide(0), 1);  // needs e1 alone
  add(1, 1, decide(1), decide(1));     // e2 was asked and abstained
  words_[1].status[3] = JudgmentStatus::abstained;
  const Figures f = figures();
  expect_share(f.recall, 1, 3, "recall");
  expect_share(f.found, 3, 3, "found");
  EXPECT_DOUBLE_EQ(f.cost.value(), (1 + 0.5 + 0.5 + 1) / 4);
  dead_ = true;
  expect_share(figures().recall, 0, 3, "recall without e2");
}

TEST_F(FiguresTest, MissingTruthIsLeftOutAndCounted) {
  add(no_index, 1, decide(0), decide(1));
  add(1, no_index, decide(0), decide(1));
  add(0, 0, decide(0), decide(0));
  const Figures f = figures();
  EXPECT_EQ(f.unknown, 2U);
  expect_share(f.exact, 1, 1, "exact");
  expect_share(f.silent, 0, 0, "no case with known truth is critical");
  expect_share(f.questions[0].silent, 1, 1, "p by itself knows better");
  EXPECT_EQ(f.questions[0].unknown, 1U);
  EXPECT_EQ(f.questions[0].outcomes.decided, 3U);
  expect_share(f.coverage, 3, 3, "coverage needs no truth");
}

TEST_F(FiguresTest, AQuestionWithoutTruth) {
  truth_.known_question[1] = false;
  add(0, no_index, decide(0), abstain());
  const Figures f = figures();
  EXPECT_EQ(f.unknown, 0U);
  expect_share(f.exact, 1, 1, "p alone counts");
  EXPECT_FALSE(f.questions[1].has_truth);
  truth_.known_question[0] = false;
  expect_share(figures().exact, 0, 0, "no truth at all");
}

TEST_F(FiguresTest, RowsAreASubset) {
  add(0, 0, decide(0), decide(0));
  add(0, 0, decide(1), decide(0));
  expect_share(figures_of({1}).exact, 0, 1, "second row");
  expect_share(figures_of({}).exact, 0, 0, "no rows");
  EXPECT_TRUE(std::isnan(figures_of({}).cost.upper()));
  EXPECT_THROW(figures_of({2}), Error);
}

/// needed_columns and a home column, as read_truth() would leave them.
TEST_F(FiguresTest, CrossBoundaryByAnnotation) {
  gates_.needed_columns = {{"e1", "n1"}, {"e2", "n2"}};
  gates_.home.column = "home";
  add(0, 0, decide(0), decide(0));     // home e1, needs both: recalled
  add(0, 0, decide(0), decide(0), 1);  // the same, e2 was not asked
  add(0, 0, decide(0), decide(0), 1);  // home e1, needs e1: nothing to cross
  add(0, 0, decide(0), decide(0), 2);  // no home, needs e2
  add(0, 0, decide(0), decide(0), 1);  // not annotated
  truth_.annotated = {true, true, true, true, false};
  truth_.needed = EngineSets(5, 2);
  truth_.home = EngineSets(5, 2);
  for (const std::size_t row : {0U, 1U, 2U}) truth_.home.insert(row, 0), truth_.needed.insert(row, 0);
  for (const std::size_t row : {0U, 1U, 3U}) truth_.needed.insert(row, 1);
  const Figures f = figures();
  EXPECT_EQ(f.basis, Basis::annotated);
  expect_share(f.recall, 2, 3, "recall");
  expect_share(f.pairs, 2, 3, "pairs");
  EXPECT_EQ(f.unknown, 1U);
  ASSERT_EQ(f.boundaries.size(), 2U);
  EXPECT_EQ(f.boundaries[0].name(), "e1 -> e2");
  expect_share(f.boundaries[0].recall, 1, 2, "e1 -> e2");
  EXPECT_EQ(f.boundaries[1].name(), "nowhere -> e2");
  ASSERT_EQ(f.pooled.size(), 1U) << "under 59 cases each";
  expect_share(f.pooled[0].recall, 2, 3, "pooled");
}

TEST_F(FiguresTest, BoundariesBelongToTheLowestPanelThatHoldsBoth) {
  law_.panels = {{"root", 0, {"e1", "e2"}}, {"inner", 1, {"e2"}}};
  gates_.needed = {{"p", {"e1"}}, {"q", {"e2"}}};
  add(1, 1, decide(1), decide(1));
  add(1, 1, decide(1), decide(1), 1);
  const Figures f = figures();
  ASSERT_EQ(f.levels.size(), 1U);
  EXPECT_EQ(f.levels[0].panel, "root");
  expect_share(f.levels[0].recall, 1, 2, "within the root: a case with one boundary missed is missed");
  ASSERT_EQ(f.boundaries.size(), 2U) << "without a home either way is a boundary";
  expect_share(f.boundaries[0].recall, 1, 2, "e1 -> e2");
  expect_share(f.boundaries[1].recall, 2, 2, "e2 -> e1");
  law_.panels = {{"root", 0, {"e1", "e2"}}, {"inner", 1, {"e1", "e2"}}};
  EXPECT_EQ(figures().levels[0].panel, "inner");
}

TEST_F(FiguresTest, CrossBoundaryByCounterfactual) {
  add(0, 0, decide(0), decide(0), 1);  // the home gives it
  add(2, 0, decide(2), decide(0), 3);  // the home does not, the engines asked do
  add(2, 1, decide(0), decide(1), 3);  // they do not
  add(2, 0, abstain(), decide(0), 1);  // nor here
  law::Decisions flat = decisions_, home = decisions_, links = decisions_;
  flat.decisions[4] = flat.decisions[6] = decide(2);
  home.decisions[2] = abstain();
  home.decisions[4] = abstain();
  home.consulted = {1, 1, 1, 1};
  links.decisions[2] = abstain();
  EXPECT_EQ(figures().basis, Basis::none);
  flat_ = &flat, home_ = &home, links_ = &links;
  const Figures f = figures();
  EXPECT_EQ(f.basis, Basis::counterfactual);
  expect_share(f.recall, 1, 3, "recall");
  expect_share(f.recall_links, 0, 3, "broadening gave it");
  ASSERT_EQ(f.boundaries.size(), 1U);
  EXPECT_EQ(f.boundaries[0].name(), "e1 -> p");
  expect_share(f.retention, 2, 4, "two that all engines have right were lost");
  expect_share(f.against_flat.worse, 2, 4, "b");
  expect_share(f.against_flat.better, 0, 4, "c");
  flat.case_id[0] = 99;
  EXPECT_THROW(figures(), Error);
}

TEST(SameAnswer, WhatAGateEscalatesIsAnAbstention) {
  const Decision abstains{Status::abstain, Reason::blocked, law::flag::gate_closed, no_index, 0};
  const Decision by_gate{Status::escalate, Reason::blocked, law::flag::gate_closed, no_index, 0};
  const Decision by_law{Status::escalate, Reason::law, law::flag::gate_closed | law::flag::escalated, no_index, 0};
  EXPECT_TRUE(same_answer(abstains, by_gate));
  EXPECT_FALSE(same_answer(abstains, by_law));
}

TEST_F(FiguresTest, AnEscalationByLawIsFoundInAClosedPartitionToo) {
  add(2, 1, escalate(law::flag::gate_closed), decide(1));
  add(2, 1, escalate(law::flag::gate_closed | law::flag::escalated), decide(1));
  expect_share(figures().found, 1, 2, "for its own sake");
}

TEST_F(FiguresTest, OneMissMakesItsClusterAMiss) {
  add(1, 0, decide(1), decide(0));
  add(1, 0, decide(0), decide(0));  // silent
  add(1, 0, decide(1), decide(0));
  add(0, 0, decide(0), escalate());
  truth_.cluster = {4, 4, 9, 9};
  const Figures f = figures();
  EXPECT_EQ(f.clusters, 2U);
  expect_share(f.silent, 1, 3, "cases");
  EXPECT_EQ(f.silent.cluster_count, 1U);
  EXPECT_EQ(f.silent.clusters, 2U);
  EXPECT_DOUBLE_EQ(f.silent.upper(), Share({1, 2}).upper());
  EXPECT_EQ(f.exact.cluster_count, 0U) << "each cluster has a case that is not right";
  EXPECT_EQ(f.coverage.cluster_count, 1U);
  EXPECT_EQ(f.cost.n, 2U) << "a mean is that of clusters";
}

TEST_F(FiguresTest, ManyCasesOfOneClusterProveNoMoreThanOne) {
  for (int i = 0; i < 400; ++i) add(1, 0, decide(1), decide(0));
  EXPECT_LE(figures().silent.upper(), 0.01);
  truth_.cluster.assign(400, 1);
  EXPECT_NEAR(figures().silent.upper(), 0.95, 1e-9);
}

TEST_F(FiguresTest, AllAbstain) {
  for (int i = 0; i < 3; ++i) add(1, 1, abstain(), abstain());
  const Figures f = figures();
  expect_share(f.exact, 0, 3, "exact");
  expect_share(f.coverage, 0, 3, "coverage");
  expect_share(f.selective_risk, 0, 0, "nothing was decided");
  EXPECT_TRUE(std::isnan(f.selective_risk.ratio())) << "not zero";
  expect_share(f.generalised_risk, 0, 3, "generalised risk");
  expect_share(f.silent, 0, 3, "silent");
  expect_share(f.strict, 3, 3, "dropped");
  expect_share(f.found, 0, 3, "found");
}

TEST_F(FiguresTest, OneCase) {
  add(1, 1, decide(1), decide(1));
  gates_.needed = {{"p", {"e1"}}, {"q", {"e2"}}};
  const Figures f = figures();
  expect_share(f.recall, 1, 1, "recall");
  EXPECT_NEAR(f.recall.lower(), 0.05, 1e-12);
  EXPECT_TRUE(std::isnan(f.pairs_interval.lower)) << "nothing varies in what is all recalled";
}

TEST_F(FiguresTest, RisksHaveTheirOwnDenominators) {
  add(0, 0, decide(0), decide(0));
  add(0, 0, decide(1), decide(0));
  add(0, 0, abstain(), decide(1));
  const Figures f = figures();
  expect_share(f.selective_risk, 1, 2, "of those decided");
  expect_share(f.generalised_risk, 1, 3, "of all");
  EXPECT_EQ(f.questions[0].confusion, (std::vector<std::uint64_t>{1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(f.questions[1].confusion, (std::vector<std::uint64_t>{2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST_F(FiguresTest, PairsAreDrawnAgainByCase) {
  gates_.needed = {{"p", {"e1"}}, {"q", {"e2"}}};
  for (int i = 0; i < 40; ++i) add(1, 1, decide(1), decide(1), i % 4 == 0 ? 1 : 3);
  const Figures f = figures();
  expect_share(f.pairs, 70, 80, "pairs");
  EXPECT_EQ(f.pairs_interval.resamples, 2000U);
  EXPECT_GT(f.pairs_interval.lower, 0.78);
  EXPECT_LT(f.pairs_interval.lower, 0.86);
  EXPECT_GT(f.pairs_interval.upper, 0.89);
  EXPECT_EQ(f.pairs_interval.lower, figures().pairs_interval.lower) << "the seed settles it";
}

TEST_F(FiguresTest, UnknownEngineInNeeded) {
  gates_.needed = {{"p", {"e9"}}};
  EXPECT_THROW(figures(), Error);
}

TEST(Truth, ReadsColumnsByMeaning) {
  Table table;
  table.case_id = {1, 2, 3};
  table.schema.columns.resize(2);
  table.schema.columns[0].name = "letter";
  table.schema.columns[0].type = ColumnType::category;
  table.schema.columns[0].values = {"x", "-"};
  table.schema.columns[1].name = "failed";
  table.schema.columns[1].type = ColumnType::boolean;
  table.columns.resize(2);
  table.columns[0] = {std::vector<std::int32_t>{1, 0, 0}, {Cell::known, Cell::known, Cell::missing}};
  table.columns[1] = {std::vector<std::uint8_t>{0, 1, 1}, {Cell::known, Cell::known, Cell::invalid}};
  law::Decisions decisions;
  decisions.case_id = {1, 2, 3};
  decisions.questions = {"p", "q", "r"};
  decisions.findings = {{"none", "x"}, {"failure", "none"}, {"none"}};
  GatesConfig config;
  config.truth.resize(2);
  config.truth[0].question = "p";
  config.truth[0].column = "letter";
  config.truth[0].findings = {{"-", "none"}};
  config.truth[1].question = "q";
  config.truth[1].column = "failed";
  config.truth[1].findings = {{"true", "failure"}, {"false", "none"}};
  const Truth truth = read_truth(config, decisions, table);
  EXPECT_THAT(truth.known_question, testing::ElementsAre(true, true, false));
  EXPECT_THAT(truth.gold, testing::ElementsAre(0, 1, no_index, 1, 0, no_index, no_index, no_index, no_index));
  EXPECT_THAT(truth.also, testing::Each(no_index));
  decisions.case_id = {1, 2, 4};
  EXPECT_THROW(read_truth(config, decisions, table), Error);
}

}  // namespace
}  // namespace hiple::gate
