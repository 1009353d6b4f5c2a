#include <gtest/gtest.h>

#include "base/error.hpp"
#include "law/evaluate.hpp"
#include "law/take_rows.hpp"
#include "law_sample.hpp"

namespace hiple::law {
namespace {

/// e is home, a link leads to f, and a rule waits for g.
class ClosedLaw : public testing::Test {
 protected:
  ClosedLaw() {
    sample_.engines = {"e", "f", "g"};
    sample_.home = {"e"};
    sample_.route_rest = ", broaden: [needed]";
    sample_.more = "links: [{id: L, from: e, to: f, when: 'a == 1'}]";
    sample_.rules = {"id: R-1, when: 'g.label == \"p\"', then: q.X"};
    for (const char* name : {"e", "f", "g"}) judgments_.push_back(LawSample::judgments(name, {}));
    judgments_[2].status[0] = JudgmentStatus::abstained;
    for (const Judgments& judgments : judgments_) engines_.push_back({judgments.engine, &judgments, "", "hash"});
  }
  [[nodiscard]] Decisions decided(const Law& law) const { return decide(law, LawSample::table({{"a", 1}}), engines_); }
  LawSample sample_;
  std::vector<Judgments> judgments_;
  std::vector<EngineJudgments> engines_;
};

TEST_F(ClosedLaw, ActivatesHomeLinksOrAll) {
  const Law law = sample_.law();
  EXPECT_EQ(decided(law).consulted[0], 7U) << "broadening reaches g";
  EXPECT_EQ(decided(law.activating(Law::Activation::home)).consulted[0], 1U);
  EXPECT_EQ(decided(law.activating(Law::Activation::links)).consulted[0], 3U);
  EXPECT_EQ(decided(law.activating(Law::Activation::all)).consulted[0], 7U);
  EXPECT_EQ(decided(law.activating(Law::Activation::all)).rounds[0], 0U);
  EXPECT_EQ(decided(law.capped(0)).consulted[0], 1U);
  EXPECT_EQ(decided(law.capped(1)).consulted[0], 3U);
  EXPECT_EQ(decided(law.capped(1)).at(0, 0).flags & flag::capped, flag::capped);
}

TEST_F(ClosedLaw, AbstentionsGoToAPersonAndSaySo) {
  const Law open = sample_.law(), closed = open.closed("1234");
  EXPECT_EQ(decided(open).at(0, 0).status, Status::abstain);
  EXPECT_EQ(decided(open).closed_by, "");
  const Decisions decisions = decided(closed);
  EXPECT_EQ(decisions.at(0, 0).status, Status::escalate);
  EXPECT_EQ(decisions.at(0, 0).reason, decided(open).at(0, 0).reason);
  EXPECT_EQ(decisions.at(0, 0).flags & (flag::gate_closed | flag::escalated), flag::gate_closed);
  EXPECT_EQ(decisions.closed_by, "1234");
  EXPECT_EQ(decisions.law_text, decided(open).law_text) << "it is the same law";
  EXPECT_NE(decisions.root, decided(open).root);
  EXPECT_EQ(closed.closed_by(), "1234");
  EXPECT_EQ(closed.activating(Law::Activation::all).closed_by(), "");
  EXPECT_THROW((void)open.closed(""), Error);
}

TEST_F(ClosedLaw, ADecisionStaysOneAndIsMarked) {
  judgments_[2] = LawSample::judgments("g", {});
  const Decisions decisions = decided(sample_.law().closed("1234"));
  EXPECT_EQ(decisions.at(0, 0).status, Status::decide);
  EXPECT_EQ(decisions.at(0, 0).flags & (flag::gate_closed | flag::escalated), flag::gate_closed);
}

TEST_F(ClosedLaw, WhatTheLawEscalatesItselfKeepsItsFlag) {
  sample_.more += "\nlaws: [{id: E, when: 'a == 1', escalate: q, to: surgeon}]";
  const Decisions decisions = decided(sample_.law().closed("1234"));
  EXPECT_EQ(decisions.at(0, 0).flags & (flag::gate_closed | flag::escalated), flag::gate_closed | flag::escalated);
}

/// The plain evaluator says the same, and to whom.
TEST_F(ClosedLaw, TheEvaluatorAgrees) {
  const Law law = sample_.law().closed("1234");
  const Table table = LawSample::table({{"a", 1}});
  const Inputs inputs(law.model(), table, engines_);
  const CaseResult result = evaluate_case(law.model(), inputs, 0);
  const Answer& answer = result.answers(law.model())[0];
  EXPECT_EQ(answer.status, Status::escalate);
  EXPECT_TRUE(answer.by_gate);
  EXPECT_EQ(answer.to, std::vector<std::string>{"person"});
  EXPECT_EQ(result.active, (std::vector<bool>{true, true, true}));
}

TEST_F(ClosedLaw, RowsOfDecisionsKeepTheirNames) {
  const Decisions all = decided(sample_.law().closed("1234"));
  const std::vector<std::uint32_t> first = {0}, twice = {0, 0}, beyond = {1};
  const Decisions one = take_rows(all, first), none = take_rows(all, {});
  EXPECT_EQ(one.decisions, all.decisions);
  EXPECT_EQ(one.consulted, all.consulted);
  EXPECT_EQ(one.closed_by, "1234");
  EXPECT_EQ(none.cases(), 0U);
  EXPECT_EQ(none.questions, all.questions);
  EXPECT_THROW((void)take_rows(all, twice), Error);
  EXPECT_THROW((void)take_rows(all, beyond), Error);
}

}  // namespace
}  // namespace hiple::law
