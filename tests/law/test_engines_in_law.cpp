#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law_sample.hpp"

namespace hiple::law {
namespace {

using testing::ElementsAre;

Word says(const std::string& label) { return {JudgmentStatus::judged, label, 0.9F, 0.5F}; }
Word is(JudgmentStatus status) { return {status, "p", 0.9F, 0.5F}; }
Word sure(float confidence) { return {JudgmentStatus::judged, "p", confidence, 0.5F}; }

LawSample with_engines(std::vector<std::string> engines, std::vector<std::string> rules) {
  LawSample sample;
  sample.engines = std::move(engines);
  sample.rules = std::move(rules);
  return sample;
}

TEST(EnginesInLaw, ADefaultStandsOverAnEngineThatNobodyCalled) {
  LawSample sample = with_engines({"e", "f"}, {"id: R1, when: 'f.label == \"p\"', then: q.X"});
  sample.with_default().home = {"e"};
  const CaseResult result = sample.run({}, {{"e", says("p")}, {"f", says("p")}});
  EXPECT_EQ(LawSample::said(sample.law(), result), "decide none");
  EXPECT_THAT(result.active, ElementsAre(true, false));
}

TEST(EnginesInLaw, ACriticalRuleCallsItsEngine) {
  LawSample sample = with_engines({"e", "f"}, {"id: R1, when: 'f.label == \"p\"', then: q.X"});
  sample.with_default().home = {"e"};
  sample.more = "critical: {critical: 1, findings: [{finding: q.X, to: endo}]}";
  const CaseResult result = sample.run({}, {{"e", says("p")}, {"f", says("p")}});
  EXPECT_EQ(LawSample::said(sample.law(), result), "decide X firm");
  EXPECT_THAT(result.active, ElementsAre(true, true));
  EXPECT_TRUE(result.broadened);
  EXPECT_EQ(result.rounds, 1U);
  // A dead engine turns its question into an escalation, not into a wrong answer.
  EXPECT_EQ(sample.answer({}, {{"e", says("p")}}), "escalate critical_not_excluded to endo");
  EXPECT_THAT(sample.causes({}, {{"e", says("p")}}), ElementsAre("unavailable:f"));
}

TEST(EnginesInLaw, SilenceIsNoDenial) {
  const LawSample sample = with_engines({"e", "f"}, {"id: R1, when: 'count(root, each.label == \"p\") == 0', then: q.none"});
  const Word silent = is(JudgmentStatus::abstained);
  EXPECT_EQ(sample.answer({}, {{"e", silent}, {"f", silent}}), "abstain blocked");
}

TEST(EnginesInLaw, JudgedTellsAbstentionFromAbsence) {
  const LawSample sample = with_engines({"e"}, {"id: R1, when: 'not e.judged', then: q.X"});
  EXPECT_EQ(sample.answer({}, {{"e", is(JudgmentStatus::judged)}}), "abstain no_rule");
  EXPECT_EQ(sample.answer({}, {{"e", is(JudgmentStatus::abstained)}}), "decide X firm");
  for (const JudgmentStatus status : {JudgmentStatus::absent, JudgmentStatus::not_asked}) {
    EXPECT_EQ(sample.answer({}, {{"e", is(status)}}), "abstain blocked");
    EXPECT_THAT(sample.causes({}, {{"e", is(status)}}), ElementsAre("unavailable:e"));
  }
  EXPECT_THAT(sample.causes({}), ElementsAre("unavailable:e"));
}

TEST(EnginesInLaw, AGroupCountsOnce) {
  LawSample sample = with_engines({"e", "f", "h"}, {"id: R1, when: 'count(root, each.label == \"p\") >= 2', then: q.X",
                                                    "id: R2, when: 'agree(root)', then: q.Y"});
  sample.more = "independence: [[f, e]]";
  EXPECT_EQ(sample.answer({}, {{"e", says("p")}, {"f", says("p")}, {"h", says("q")}}), "abstain no_rule");
  sample.rules.pop_back();
  EXPECT_THAT(sample.causes({}, {{"e", says("p")}, {"f", says("q")}, {"h", says("p")}}), ElementsAre("disagree:e"));
}

TEST(EnginesInLaw, ExtremesUnderUnknowns) {
  LawSample sample = with_engines({"e", "f"}, {"id: R1, when: 'min(root.confidence) >= 0.8', then: q.X",
                                               "id: R2, when: 'max(root.confidence) >= 0.8', then: q.Y"});
  sample.home = {"e"};
  EXPECT_EQ(sample.answer({}, {{"e", sure(0.9F)}, {"f", says("p")}}), "decide Y");
  sample.rules.pop_back();
  sample.route_rest = ", broaden: []";
  EXPECT_EQ(sample.answer({}, {{"e", sure(0.5F)}}), "abstain no_rule");  // one low value settles a minimum
}

TEST(EnginesInLaw, LiteralsAreRoundedToTheConfidencesType) {
  const LawSample sample =
      with_engines({"e"}, {"id: R1, when: 'e.confidence >= 0.9', then: q.X", "id: R2, when: 'e.confidence < 0.9', then: q.Y"});
  EXPECT_EQ(sample.answer({}, {{"e", sure(0.9F)}}), "decide X firm");  // 0.9F is below 0.9
}

TEST(EnginesInLaw, LinksReachTheirFixpoint) {
  LawSample sample = with_engines({"e", "f", "h"}, {"id: R1, when: 'h.label == \"q\"', then: q.X"});
  sample.home = {"e"};
  sample.route_rest = ", broaden: []";
  sample.more = R"(links:
  - {id: X2, from: f, to: h, when: 'f.label == "p"'}
  - {id: X1, from: e, to: f, when: 'e.label == "p" and a > 0'})";
  const std::map<std::string, Word> words = {{"e", says("p")}, {"f", says("p")}, {"h", says("q")}};
  const CaseResult all = sample.run({{"a", 1}}, words);
  EXPECT_EQ(all.rounds, 2U);
  EXPECT_FALSE(all.broadened);
  EXPECT_EQ(LawSample::said(sample.law(), all), "decide X firm");
  ASSERT_EQ(all.trace.size(), 3U);
  EXPECT_THAT(all.trace[0].links, ElementsAre(0));  // X1: links are numbered by id
  EXPECT_THAT(all.trace[0].added, ElementsAre(1));
  EXPECT_EQ(sample.run({{"a", 0}}, words).rounds, 0U);
  EXPECT_EQ(sample.run({}, words).rounds, 0U);  // UNKNOWN reaches nobody, unless the link is eager
  sample.more += "\n  - {id: X3, from: e, to: h, eager: true, when: 'b > 0'}";
  EXPECT_EQ(sample.run({}, words).rounds, 1U);
}

TEST(EnginesInLaw, CyclesOfLinksEndAndACapIsReported) {
  LawSample sample = with_engines({"e", "f"}, {"id: R1, when: 'f.label == \"p\"', then: q.X"});
  sample.home = {"e"};
  sample.more = "links: [{id: X1, from: e, to: f, when: 'true'}, {id: X2, from: f, to: e, when: 'true'}]";
  const std::map<std::string, Word> words = {{"e", says("p")}, {"f", says("p")}};
  EXPECT_EQ(sample.run({}, words).rounds, 1U);
  EXPECT_FALSE(sample.run({}, words).capped);
  sample.route_rest = ", max_rounds: 0";
  const CaseResult capped = sample.run({}, words);
  EXPECT_TRUE(capped.capped);
  EXPECT_THAT(capped.active, ElementsAre(true, false));
}

TEST(EnginesInLaw, RingsOfBroadening) {
  LawSample sample = with_engines({"e", "f", "g", "h"}, {"id: R1, when: 'f.label == \"p\"', then: q.X"});
  sample.more = "panels: [{name: one, members: [e, g]}, {name: root, members: [one, f, h]}]";
  sample.home = {"e"};
  const std::map<std::string, Word> words = {{"e", says("p")}, {"f", says("q")}, {"g", says("p")}, {"h", says("p")}};
  sample.route_rest = ", broaden: [needed]";
  EXPECT_THAT(sample.run({}, words).active, ElementsAre(true, true, false, false));
  sample.route_rest = ", broaden: [panel]";
  EXPECT_THAT(sample.run({}, words).active, ElementsAre(true, false, true, false));
  sample.route_rest = ", broaden: [panel, all]";
  const CaseResult all = sample.run({}, words);
  EXPECT_THAT(all.active, ElementsAre(true, true, true, true));
  EXPECT_EQ(all.trace[0].broadened, Ring::panel);
  EXPECT_EQ(all.trace[1].broadened, Ring::all);
}

TEST(EnginesInLaw, TheRouteReadsInputColumnsAndTakesTheFirstThatIsTrue) {
  LawSample sample = with_engines({"e", "f"}, {});
  sample.more = "route: {home: [{when: 'a > 0', engines: [e]}, {when: 'b > 0', engines: [f]}, {engines: []}], broaden: []}";
  EXPECT_THAT(sample.run({{"a", 1}, {"b", 1}}).active, ElementsAre(true, false));
  EXPECT_THAT(sample.run({{"b", 1}}).active, ElementsAre(false, true));
  EXPECT_THAT(sample.run({}).active, ElementsAre(false, false));
  EXPECT_EQ(sample.run({}).home, 2U);
  sample.more = "route: {home: [{when: 'e.judged', engines: [e]}, {engines: []}]}";
  EXPECT_THROW((void)sample.law(), InputError);
}

}  // namespace
}  // namespace hiple::law
