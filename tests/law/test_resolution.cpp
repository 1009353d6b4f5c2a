#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law_sample.hpp"

// Each case is one that an earlier wording of the resolution got wrong.
namespace hiple::law {
namespace {

using testing::ElementsAre;

LawSample with_rules(std::vector<std::string> rules) {
  LawSample sample;
  sample.rules = std::move(rules);
  return sample;
}

const std::string r1 = "id: R1, when: 'a > 0', then: q.X";
const std::string r2 = "id: R2, when: 'b > 0', then: q.Y";

TEST(Resolution, ABlockedRivalLeavesTheDecisionNotFirm) {
  const LawSample sample = with_rules({r1, r2});
  EXPECT_EQ(sample.answer({{"a", 1}}), "decide X");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 0}}), "decide X firm");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 1}}), "abstain conflict");
  EXPECT_EQ(sample.answer({{"a", 0}, {"b", 0}}), "abstain no_rule");
  EXPECT_EQ(sample.answer({{"a", 0}}), "abstain blocked");
}

TEST(Resolution, ADecisionThatIsNotFirmSaysWhatWouldMakeItSo) {
  EXPECT_THAT(with_rules({r1, r2}).causes({{"a", 1}}), ElementsAre("missing:b"));
}

TEST(Resolution, IncompatibleFindingsOfTwoQuestions) {
  LawSample sample = with_rules({r1, "id: R2, when: 'b > 0', then: s.U"});
  sample.questions = "[{name: q, findings: [none, X]}, {name: s, findings: [none, U]}]";
  sample.more = "incompatible: [[q.X, s.U]]";
  EXPECT_EQ(sample.answer({{"a", 1}}), "decide X");
  for (const std::size_t question : {0U, 1U}) EXPECT_EQ(sample.answer({{"a", 1}, {"b", 1}}, {}, question), "abstain conflict");
}

TEST(Resolution, AChainOfIncompatiblePairsAbstainsInEveryOrderOfQuestions) {
  const std::vector<std::string> questions = {"{name: q, findings: [X]}", "{name: s, findings: [U]}", "{name: t, findings: [V]}"};
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    LawSample sample = with_rules({r1, "id: R2, when: 'a > 0', then: s.U", "id: R3, when: 'a > 0', then: t.V"});
    sample.questions = "[" + questions[order[0]] + ", " + questions[order[1]] + ", " + questions[order[2]] + "]";
    sample.more = "incompatible: [[q.X, s.U], [s.U, t.V]]";
    for (const std::size_t question : {0U, 1U, 2U}) EXPECT_EQ(sample.answer({{"a", 1}}, {}, question), "abstain conflict");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Resolution, ExceptionsToExceptions) {
  const std::string a = "id: A, when: 'a > 0', then: q.X", b = "id: B, when: 'b > 0', then: q.Y, overrides: [A]";
  const auto with = [&](const std::string& third) { return with_rules({a, b, third}); };
  const std::map<std::string, double> all = {{"a", 1}, {"b", 1}, {"c", 1}};
  EXPECT_EQ(with("id: C, when: 'c > 0', then: q.X, overrides: [B]").answer(all), "decide X firm");
  EXPECT_EQ(with("id: C, when: 'c > 0', then: q.Z, overrides: [B]").answer(all), "abstain conflict");
  EXPECT_EQ(with("id: C, when: 'c > 0', then: q.Z, overrides: [A, B]").answer(all), "decide Z firm");
  // A blocked defeater that is itself beaten does no harm; one that may stand does.
  EXPECT_EQ(with("id: C, when: 'c > 0', then: q.X, overrides: [B]").answer({{"a", 1}, {"c", 1}}), "decide X firm");
  EXPECT_EQ(with_rules({a, b}).answer({{"a", 1}}), "abstain possible_defeater");
  EXPECT_EQ(with("id: A2, when: 'd > 0', then: q.X").answer({{"a", 1}, {"d", 1}}), "decide X");
}

TEST(Resolution, ConflictsAndDecisionsCiteEveryStandingRule) {
  const LawSample sample = with_rules({"id: R3, when: 'a > 0', then: q.X", r1, r2});
  const Law law = sample.law();
  EXPECT_THAT(sample.run({{"a", 1}, {"b", 0}}).answers(law.model())[0].cited, ElementsAre(0, 2));
  EXPECT_THAT(sample.run({{"a", 1}, {"b", 1}}).answers(law.model())[0].cited, ElementsAre(0, 1, 2));
}

constexpr const char* critical = "critical: {critical: 1, findings: [{finding: q.X, to: endo}]}";

LawSample with_critical(std::vector<std::string> rules) {
  LawSample sample = with_rules(std::move(rules));
  sample.more = critical;
  return sample;
}

TEST(Resolution, ACriticalFindingThatIsDecidedIsCovered) {
  EXPECT_EQ(with_critical({r1, "id: R2, when: 'b > 0', then: q.X"}).answer({{"a", 1}}), "decide X firm");
}

TEST(Resolution, ACriticalFindingThatMayHoldIsNotPassedOver) {
  const LawSample sample = with_critical({"id: R1, when: 'a > 0', then: q.Y", "id: R2, when: 'b > 0', then: q.X"});
  EXPECT_EQ(sample.answer({{"a", 1}}), "escalate critical_not_excluded to endo");
}

TEST(Resolution, ASureExceptionDismissesACriticalFinding) {
  const std::string x = "id: R2, when: 'b > 0', then: q.X";
  EXPECT_EQ(with_critical({"id: R1, when: 'a > 0', then: q.none, overrides: [R2]", x}).answer({{"a", 1}}), "decide none firm");
  // known(a) is TRUE only as long as nobody looks.
  EXPECT_EQ(with_critical({"id: R1, when: 'not known(a)', then: q.none, overrides: [R2]", x}).answer({{"b", 1}}),
            "escalate critical_not_excluded to endo");
  const std::string none = "id: R1, when: 'a > 0', then: q.none, overrides: [R2]", y = "id: R3, when: 'a > 0', then: q.Y";
  EXPECT_EQ(with_critical({none, x, y}).answer({{"a", 1}, {"b", 1}}), "escalate conflict to endo");
}

TEST(Resolution, CoveredByAnotherFinding) {
  LawSample sample = with_rules({"id: R1, when: 'a > 0', then: q.Y", "id: R2, when: 'b > 0', then: q.X"});
  sample.more = "critical: {critical: 1, findings: [{finding: q.X, covered_by: [q.Y]}]}";
  EXPECT_EQ(sample.answer({{"a", 1}}), "decide Y");
}

TEST(Resolution, SuspectSaysWhenAnUnknownMayNotBePassedOver) {
  LawSample sample = with_rules({r1, "id: R2, when: 'c > 0', then: q.Y"});
  sample.more = "critical: {critical: 1, findings: [{finding: q.X, to: endo, suspect: 'd > 0'}]}";
  EXPECT_EQ(sample.answer({{"c", 1}}), "abstain critical_not_excluded");
  EXPECT_EQ(sample.answer({{"c", 1}, {"d", 0}}), "abstain critical_not_excluded");
  EXPECT_EQ(sample.answer({{"c", 1}, {"d", 1}}), "escalate critical_not_excluded to endo");
}

TEST(Resolution, AColumnThatIsMostlyMissing) {
  const std::map<std::string, std::string> wanted = {{"a > 0 or TBG >= 60", "escalate critical_not_excluded to endo"},
                                                     {"a > 0 or (known(TBG) and TBG >= 60)", "decide none"},
                                                     {"a > 0 and TBG >= 60", "decide none firm"}};
  for (const auto& [when, answer] : wanted) {
    LawSample sample = with_critical({"id: R1, when: '" + when + "', then: q.X"});
    EXPECT_EQ(sample.with_default().answer({{"a", 0}}), answer) << when;
  }
}

TEST(Resolution, LawsForbid) {
  LawSample sample = with_rules({r1});
  sample.more = "laws: [{id: L, forbid: q.X, when: 'b > 0'}]";
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 1}}), "abstain law");
  EXPECT_EQ(sample.answer({{"a", 1}}), "abstain law");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 0}}), "decide X firm");
  EXPECT_EQ(sample.answer({{"a", 0}, {"b", 1}}), "abstain no_rule");
  sample.more = std::string("laws: [{id: L, forbid: q.X, when: 'b > 0'}]\n") + critical;
  EXPECT_EQ(sample.answer({{"a", 1}}), "escalate law to endo");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 0}}), "decide X firm");
}

TEST(Resolution, LawsRequireAndNameWhom) {
  LawSample sample = with_rules({r1});
  sample.more = "laws: [{id: L, require: q.X, when: 'b > 0', to: chief}]";
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 1}}), "decide X firm");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 0}}), "escalate law to chief");
  EXPECT_EQ(sample.answer({{"a", 1}}), "escalate law to chief");
}

TEST(Resolution, LawsEscalateFirst) {
  LawSample sample = with_rules({r1});
  sample.more = "laws: [{id: L, escalate: q, when: 'b > 0'}]";
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 1}}), "escalate law to person");
  EXPECT_EQ(sample.answer({{"a", 1}}), "escalate law to person");
  EXPECT_EQ(sample.answer({{"a", 1}, {"b", 0}}), "decide X firm");
}

TEST(Resolution, ALawOnAFindingNobodyProposesIsSilent) {
  LawSample sample = with_rules({r1});
  sample.more = "laws: [{id: L, forbid: q.Z, when: 'a > 0'}]";
  EXPECT_EQ(sample.answer({{"a", 1}}), "decide X firm");
}

TEST(Resolution, WhatIsReadThroughKnownIsNotFirm) {
  LawSample sample = with_rules({r1});
  sample.more = "laws: [{id: L, forbid: q.X, when: 'known(b) and b > 0'}]";
  EXPECT_EQ(sample.answer({{"a", 1}}), "decide X");
  LawSample other = with_rules({"id: R1, when: 'known(TBG) and TBG >= 60', then: q.X"});
  EXPECT_EQ(other.with_default().answer({}), "decide none");
}

TEST(Resolution, ASuspendedRuleIsUnknownWhereItIsNotFalse) {
  const LawSample sample = with_rules({"id: R1, status: suspended, when: 'a > 0', then: q.X"});
  EXPECT_EQ(sample.answer({{"a", 1}}), "abstain blocked");
  EXPECT_THAT(sample.causes({{"a", 1}}), ElementsAre("suspended:R1"));
  EXPECT_EQ(sample.answer({{"a", 0}}), "abstain no_rule");
  const LawSample region = with_rules({"id: R1, suspended_where: 'b > 0', when: 'a > 0', then: q.X"});
  EXPECT_EQ(region.answer({{"a", 1}, {"b", 0}}), "decide X firm");
  EXPECT_EQ(region.answer({{"a", 1}, {"b", 1}}), "abstain blocked");
  EXPECT_THAT(region.causes({{"a", 1}}), ElementsAre("missing:b", "suspended:R1"));
}

TEST(Resolution, OnlyAcceptedRulesOfTheDayExist) {
  for (const char* out :
       {"status: proposed", "status: verified", "status: retired", "valid: {to: 2024-10-03}", "valid: {from: 2024-10-05}"})
    EXPECT_EQ(with_rules({std::string("id: R1, when: 'true', then: q.X, ") + out}).answer({}), "abstain no_rule") << out;
  // 20000 days after 1970-01-01
  EXPECT_EQ(with_rules({"id: R1, when: 'true', then: q.X, valid: {from: 2024-10-04, to: 2024-10-04}"}).answer({}),
            "decide X firm");
}

}  // namespace
}  // namespace hiple::law
