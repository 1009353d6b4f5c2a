#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/derivation.hpp"
#include "law/given_case.hpp"
#include "law_sample.hpp"

namespace hiple::law {
namespace {

constexpr const char* text = R"yaml(
law: 1
name: evident
questions:
  - {name: other, findings: [off, on], default: off}
  - {name: q, findings: [none, X, Y], default: none}
critical: {critical: 1, findings: [{finding: q.Y, to: surgeon, suspect: "a > 5"}]}
rules:
  - {id: A-1, when: "a > 1", then: q.X}
  - {id: A-2, when: "b > 1 and not evidence.q == \"X\"", then: q.Y}
  - {id: B-1, when: "evidence.c > 2", then: other.on}
links: [{id: K-1, from: e, to: f, when: "evidence.c > 7"}]
route: {home: [{engines: [e]}], broaden: [needed]}
)yaml";

Law evident(bool heeds = true, const char* of = text) {
  Law law = Law::parse(of, "law.yaml", LawSample::schema(), {{"e", {"none", "p"}}, {"f", {"none", "p"}}}, 20000);
  return heeds ? law.heeding("head", {}) : std::move(law);
}

GivenCase given(const Law& law, const std::string& yaml) {
  Problems problems;
  auto result = read_given_case(law.model(), yaml::parse(yaml, "case.yaml"), problems);
  problems.throw_if_any();
  return std::move(*result);
}

/// The answer to q and to `other`, by the evaluator of one case; that of all at once must say the same.
std::string said(const Law& law, const std::string& yaml, std::size_t question = 1) {
  const GivenCase one = given(law, yaml);
  const auto engines = one.engines(law.model());
  const Inputs inputs(law.model(), one.table, engines);
  const CaseResult result = evaluate_case(law.model(), inputs, 0);
  const Decisions all = decide(law, one.table, engines);
  for (std::size_t q = 0; q < 2; ++q) {
    EXPECT_EQ(all.at(0, q).status, result.answers(law.model())[q].status) << yaml;
    EXPECT_EQ(all.at(0, q).reason, result.answers(law.model())[q].reason) << yaml;
    EXPECT_EQ((all.at(0, q).flags & flag::critical) != 0, result.answers(law.model())[q].critical) << yaml;
  }
  return LawSample::said(law, result, question);
}

TEST(HeededEvidence, ThatSaysTheSameLeavesADecisionAlone) {
  EXPECT_EQ(said(evident(), "{a: 2, b: 0, c: 0}"), "decide X firm");
  EXPECT_EQ(said(evident(), "{a: 2, b: 0, c: 0, evidence.q: X}"), "decide X firm");
}

TEST(HeededEvidence, ThatSaysOtherwiseIsNotOverruled) {
  EXPECT_EQ(said(evident(), "{a: 2, b: 0, c: 0, evidence.q: none}"), "abstain contradicted_by_evidence");
  EXPECT_EQ(said(evident(), "{a: 0, b: 0, c: 0, evidence.q: X}"), "abstain contradicted_by_evidence") << "of a default too";
  EXPECT_EQ(said(evident(), "{a: 2, b: 0, c: 0, evidence.q: contradictory}"), "abstain contradicted_by_evidence");
}

TEST(HeededEvidence, OfACriticalFindingGoesToAPerson) {
  EXPECT_EQ(said(evident(), "{a: 2, b: 0, c: 0, evidence.q: Y}"), "escalate contradicted_by_evidence to surgeon");
  EXPECT_EQ(said(evident(), "{a: 6, b: 0, c: 0, evidence.q: contradictory}"), "escalate contradicted_by_evidence to surgeon")
      << "its sources differ, and it is suspect";
  EXPECT_EQ(said(evident(), "{a: 0, b: 2, c: 0, evidence.q: Y}"), "decide Y firm");
}

TEST(HeededEvidence, DoesNotMakeAnswersByItself) {
  // Nothing is known of b: A-2 waits, and so does the default.
  EXPECT_EQ(said(evident(), "{a: 0, c: 0, evidence.q: none}"), "abstain critical_not_excluded");
  EXPECT_EQ(said(evident(), "{a: 0, c: 0, evidence.q: Y}"), "escalate critical_not_excluded to surgeon");
}

TEST(HeededEvidence, IsNotHeededByALawThatKnowsNone) {
  EXPECT_EQ(said(evident(false), "{a: 2, b: 0, c: 0}"), "decide X firm");
  EXPECT_TRUE(evident(false).evidence().empty());
  EXPECT_EQ(evident().evidence(), "head");
  EXPECT_EQ(evident().sha256(), evident(false).sha256());
  EXPECT_EQ(evident().closed("report").evidence(), "head");
}

TEST(HeededEvidence, IsReadByConditions) {
  EXPECT_EQ(said(evident(), "{a: 2, b: 2, c: 0, evidence.q: X}"), "decide X firm");
  EXPECT_EQ(said(evident(), "{a: 0, b: 2, c: 0, evidence.q: none}"), "escalate contradicted_by_evidence to surgeon");
  EXPECT_EQ(said(evident(), "{a: 0, b: 0, evidence.c: 3}", 0), "decide on firm");
  EXPECT_EQ(said(evident(), "{a: 0, b: 0, evidence.c: 2}", 0), "decide off firm");
  EXPECT_EQ(said(evident(), "{a: 0, b: 0}", 0), "abstain blocked");
  EXPECT_EQ(said(evident(), "{a: 0, b: 0, evidence.c: contradictory}", 0), "abstain blocked");
}

TEST(HeededEvidence, TriggersLinks) {
  const auto active = [](const std::string& yaml) {
    const Law law = evident();
    const GivenCase one = given(law, yaml);
    const auto engines = one.engines(law.model());
    return evaluate_case(law.model(), Inputs(law.model(), one.table, engines), 0).active;
  };
  EXPECT_EQ(active("{a: 0, b: 0, evidence.c: 8}"), (std::vector<bool>{true, true}));
  EXPECT_EQ(active("{a: 0, b: 0, evidence.c: 7}"), (std::vector<bool>{true, false}));
}

/// A finding that evidence contradicts waits for the engines that could change it, before a person is asked.
TEST(HeededEvidence, CallsEnginesThatCouldSayOtherwise) {
  const char* two = R"yaml(
law: 1
name: two
questions: [{name: q, findings: [none, X], default: none}]
rules: [{id: A, when: "f.label == \"p\"", then: q.X}]
route: {home: [{engines: [e]}], broaden: [needed]}
)yaml";
  const Law law = evident(true, two);
  const auto rounds = [&](const std::string& yaml, const char* wanted) {
    const GivenCase one = given(law, yaml);
    const auto engines = one.engines(law.model());
    const Inputs inputs(law.model(), one.table, engines);
    const CaseResult result = evaluate_case(law.model(), inputs, 0);
    EXPECT_EQ(LawSample::said(law, result), wanted);
    EXPECT_EQ(decide(law, one.table, engines).rounds[0], result.rounds);
    return result.rounds;
  };
  EXPECT_EQ(rounds("{f: {p: 1}}", "decide none"), 0U);
  EXPECT_EQ(rounds("{f: {p: 1}, evidence.q: none}", "decide none"), 0U);
  EXPECT_EQ(rounds("{f: {p: 1}, evidence.q: X}", "decide X firm"), 1U);
  EXPECT_EQ(rounds("{f: {none: 1}, evidence.q: X}", "abstain contradicted_by_evidence"), 1U);
}

TEST(HeededEvidence, IsExplained) {
  const Law law = evident();
  const std::string page =
      Derivation(law.model(), given(law, "{a: 2, b: 0, c: 0, evidence.q: none, evidence.c: contradictory}")).text();
  EXPECT_THAT(page, testing::HasSubstr("QUESTION q: ABSTAIN (contradicted_by_evidence)"));
  EXPECT_THAT(page, testing::HasSubstr("evidence about this case: it is none"));
  EXPECT_THAT(page, testing::HasSubstr("by A-1@1"));
  EXPECT_THAT(page, testing::HasSubstr("the sources of evidence.c contradict one another"));
  EXPECT_THAT(page, testing::HasSubstr("evidence.c"));
}

TEST(HeededEvidence, ReadsBackAsItIsWritten) {
  const Law law = evident();
  const GivenCase one = given(law, "{a: 2, evidence.q: none, evidence.c: contradictory}");
  EXPECT_EQ(to_short_yaml(law.model(), one), "{a: 2, evidence.c: contradictory, evidence.q: none}");
  EXPECT_EQ(to_yaml(law.model(), given(law, to_yaml(law.model(), one))), to_yaml(law.model(), one));
}

TEST(HeededEvidence, AndItsColumnsAreNamed) {
  EXPECT_EQ(evident(false).columns(), (std::vector<std::string>{"a", "b", "evidence.c", "evidence.q"}));
  EXPECT_EQ(evident().columns(), (std::vector<std::string>{"a", "b", "evidence.c", "evidence.q", "evidence.other"}));
  EXPECT_EQ(evident().evidence_columns().size(), 3U);
  EXPECT_TRUE(LawSample().law().evidence_columns().empty());
}

std::string refusal(const std::string& line, const std::string& more = "") {
  const std::string law =
      "law: 1\nname: bad\nquestions: [{name: q, findings: [none, X]}, {name: d, findings: [x]}]\nrules:\n  - {id: A, " + line +
      ", then: q.X}\n" + more;
  try {
    (void)Law::parse(law, "law.yaml", LawSample::schema(), {{"e", {"none", "p"}}}, 20000);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HeededEvidence, IsRefusedWhereItCannotBeRead) {
  EXPECT_EQ(refusal("when: 'evidence.a > 1 and evidence.q == \"X\"'"), "accepted");
  EXPECT_THAT(refusal("when: 'evidence.aa > 1'"), testing::HasSubstr("law.yaml:5:20: there is no evidence about \"aa\""));
  EXPECT_THAT(refusal("when: 'evidence.d > 1'"), testing::HasSubstr("it is the name of an input column and of a question"));
  EXPECT_THAT(refusal("when: 'evidence.q == \"Z\"'"), testing::HasSubstr("evidence.q is never \"Z\""));
  EXPECT_THAT(refusal("when: 'a > 1'", "route: {home: [{when: 'evidence.a > 1', engines: [e]}, {engines: [e]}]}"),
              testing::HasSubstr("evidence cannot be read here: the route says who judges a case"));
  EXPECT_THAT(refusal("when: 'a > 1'", "panels: [{name: evidence, members: [e]}, {name: root, members: [evidence]}]"),
              testing::HasSubstr("a panel cannot be called \"evidence\""));
  EXPECT_THAT(refusal("when: 'a > 1', precision: 1"), testing::HasSubstr("law.yaml:5:"));
  EXPECT_EQ(refusal("when: 'a > 1', precision: 0.95"), "accepted");
  const Law d =
      Law::parse("law: 1\nname: d\nquestions: [{name: d, findings: [x]}]\n", "law.yaml", LawSample::schema(), {}, 20000);
  EXPECT_THROW((void)d.heeding("head", {}), InputError);
}

TEST(HeededEvidence, PrecisionIsAPartOfTheText) {
  const auto hash = [](const char* of_rule, const char* of_law) {
    const std::string law = std::string("law: 1\nname: p\nquestions: [{name: q, findings: [none, X]}]\n") + of_law +
                            "rules: [{id: A, when: 'a > 1', then: q.X" + of_rule + "}]\n";
    const Law read = Law::parse(law, "law.yaml", LawSample::schema(), {}, 20000);
    const Law again = Law::parse(read.canonical(), "law.yaml", LawSample::schema(), {}, 20000);
    EXPECT_EQ(again.canonical(), read.canonical());
    EXPECT_EQ(again.model().rules[0].precision, read.model().rules[0].precision);
    EXPECT_EQ(again.model().precision, read.model().precision);
    return read.sha256();
  };
  EXPECT_NE(hash("", ""), hash(", precision: 0.9", ""));
  EXPECT_NE(hash("", ""), hash("", "precision: 0.9\n"));
}

}  // namespace
}  // namespace hiple::law
