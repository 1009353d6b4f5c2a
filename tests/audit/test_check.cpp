#include <gtest/gtest.h>

#include <algorithm>

#include "audit/check.hpp"
#include "audit/check_text.hpp"
#include "audit/full_reading.hpp"
#include "audit_sample.hpp"
#include "law/derivation.hpp"

namespace hiple::audit {
namespace {

using condition::Truth;

LawCheck check(const law::Law& law, CheckOptions options = {}) { return check_law(law, options); }

/// "overlap A B" of everything but missing examples, in order.
std::vector<std::string> told(const LawCheck& found) {
  std::vector<std::string> texts;
  for (const Finding& finding : found.findings) {
    if (finding.check == "no tests") continue;
    std::string text = finding.check;
    for (const std::string& id : finding.ids) text += " " + id;
    texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> told(const std::string& rest) { return told(check(sample_law(rest))); }

using Texts = std::vector<std::string>;
constexpr const char* with_default = "[{name: q, findings: [none, a, b], default: none}]";

Texts told_with_default(const std::string& rest) { return told(check(sample_law(rest, with_default))); }

/// The truth of a rule's condition, and whether it stands, in the witness of a finding.
std::pair<Truth, Truth> in_witness(const law::Law& law, const Finding& finding, const std::string& id) {
  Problems problems;
  const auto given = law::read_given_case(law.model(), yaml::parse(finding.witness, "witness"), problems);
  problems.throw_if_any();
  const law::Scopes scopes(law.model());
  const FullReading reading(law.model(), scopes, *given);
  for (std::size_t i = 0; i < law.model().rules.size(); ++i)
    if (law.model().rules[i].id == id) return {reading.rule(i).when.value, reading.rule(i).stand.value};
  ADD_FAILURE() << id;
  return {};
}

TEST(Check, ConditionsThatAreNeverOrAlwaysTrue) {
  EXPECT_EQ(told_with_default(
                "rules:\n  - {id: A, when: 'x > 5 and x < 4', then: q.a}\n  - {id: B, when: 'n > 2 or n <= 2', then: q.b}"),
            (Texts{"tautology B", "unsatisfiable A"}));
  EXPECT_EQ(told_with_default(
                "laws: [{id: L, when: 'on and not on', escalate: q}]\nlinks: [{id: X, from: e, to: f, when: 'x > 3 and x < 2'}]"),
            (Texts{"unsatisfiable L", "unsatisfiable X"}));
  EXPECT_EQ(told_with_default("rules: [{id: A, when: 'known(x) and x > 5', then: q.a}]"), Texts{});
  EXPECT_EQ(check(sample_law("rules: [{id: A, when: 'on and not on', then: q.a}]", with_default)).count(Severity::error), 1U);
}

TEST(Check, ArithmeticGoesToZ3) {
  EXPECT_EQ(told_with_default("rules: [{id: A, when: 'x + y > 20', then: q.a}]"), (Texts{"threshold A", "unsatisfiable A"}));
  EXPECT_EQ(told_with_default("rules: [{id: A, when: 'x * y > 50 and (x < 4 or y < 4) and on', then: q.a}]"),
            (Texts{"unsatisfiable A"}));
  EXPECT_EQ(told_with_default("rules: [{id: A, when: 'x * y > 50 and (x < 6 or y < 4) and on', then: q.a}]"), Texts{});
  const law::Law law = sample_law(
      "rules:\n  - {id: A, when: 'x * y > 50 and x < 6', then: q.a}\n  - {id: B, when: 'x + y < 16', then: q.b}", with_default);
  const LawCheck found = check(law);
  ASSERT_EQ(told(found), (Texts{"overlap A B"}));
  EXPECT_EQ(in_witness(law, found.findings[0], "A"), std::pair(Truth::yes, Truth::yes));
  EXPECT_EQ(in_witness(law, found.findings[0], "B"), std::pair(Truth::yes, Truth::yes));
}

TEST(Check, ThresholdsOutsideOfTheRange) {
  const law::Law law =
      sample_law("rules: [{id: A, when: 'on and (x > 10 or y <= 10 or e.confidence > 1)', then: q.a}]", with_default);
  const LawCheck found = check(law);
  EXPECT_EQ(told(found), (Texts{"threshold A", "threshold A", "threshold A"}));
  EXPECT_EQ(found.findings[0].text, "the rule A: x > 10 is FALSE wherever it is known; the schema has x in [0, 10]");
  const law::Law inside = sample_law("rules: [{id: A, when: 'x > 8', then: q.a}]", with_default);
  EXPECT_EQ(told(check(inside)), Texts{});
  CheckOptions with_data;
  with_data.data["x"] = {1, 7.5};
  const LawCheck data = check(inside, with_data);
  ASSERT_EQ(told(data), (Texts{"threshold A"}));
  ASSERT_EQ(data.findings.back().check, "threshold");
  EXPECT_EQ(data.findings.back().text, "the rule A: x > 8 is FALSE wherever it is known; the data has x in [1, 7.5]");
}

TEST(Check, RulesThatSayTheSame) {
  EXPECT_EQ(told_with_default("rules:\n  - {id: A, when: 'x>5', then: q.a}\n  - {id: B, when: 'x > 5', then: q.a}"),
            (Texts{"duplicate A B"}));
  EXPECT_EQ(told_with_default("rules:\n  - {id: A, when: 'not x <= 5', then: q.a}\n  - {id: B, when: 'x > 5', then: q.a}"),
            (Texts{"duplicate A B"}));
  EXPECT_EQ(told_with_default("rules:\n  - {id: A, when: 'x > 6 and on', then: q.a}\n  - {id: B, when: 'x > 5', then: q.a}"),
            (Texts{"subsumed A B"}));
  // Not so where the narrow one wins over something.
  EXPECT_EQ(told_with_default("rules:\n  - {id: A, when: 'x > 6 and on', then: q.a, overrides: [C]}\n  - {id: B, when: 'x > 5', "
                              "then: q.a, overrides: []}\n"
                              "  - {id: C, when: 'x > 6 and y > 2', then: q.b, overrides: [B]}"),
            Texts{});
}

TEST(Check, RulesThatNeverStand) {
  const law::Law law = sample_law(
      "rules:\n  - {id: A, when: 'x > 6', then: q.a}\n  - {id: B, when: 'x > 5', then: q.b, overrides: [A]}", with_default);
  const LawCheck found = check(law);
  ASSERT_EQ(told(found), (Texts{"unreachable A"}));
  EXPECT_EQ(found.findings[0].severity, Severity::error);
  EXPECT_EQ(in_witness(law, found.findings[0], "A"), std::pair(Truth::yes, Truth::no));
  EXPECT_EQ(
      told_with_default("rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'x > 6', then: q.b, overrides: [A]}"),
      Texts{});
}

TEST(Check, OverlapsThatNothingSettles) {
  const std::string two = "rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'y > 5', then: q.b%s}\n";
  const auto with = [&](const std::string& more) { return std::string(two).replace(two.find("%s"), 2, more); };
  const law::Law law = sample_law(with(""), with_default);
  const LawCheck found = check(law);
  ASSERT_EQ(told(found), (Texts{"overlap A B"}));
  EXPECT_EQ(in_witness(law, found.findings[0], "A").second, Truth::yes);
  EXPECT_EQ(in_witness(law, found.findings[0], "B").second, Truth::yes);
  EXPECT_EQ(told_with_default(with(", overrides: [A]")), Texts{});
  // A third rule that beats both where they meet.
  EXPECT_EQ(told_with_default(with("") + "  - {id: C, when: 'x > 5 and y > 5', then: q.none, overrides: [A, B]}"), Texts{});
  EXPECT_EQ(told_with_default(with("") + "  - {id: C, when: 'x > 7 and y > 5', then: q.none, overrides: [A, B]}"),
            (Texts{"overlap A B"}));
  const std::string questions = "[{name: q, findings: [none, a], default: none}, {name: r, findings: [none, b], default: none}]";
  EXPECT_EQ(
      told(check(sample_law(
          "incompatible: [[q.a, r.b]]\nrules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'y > 5', then: r.b}",
          questions))),
      (Texts{"overlap A B"}));
}

TEST(Check, GapsAndWhatIsMissing) {
  EXPECT_EQ(told("rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'x < 5', then: q.b}"), (Texts{"gap q"}));
  EXPECT_EQ(told("rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'x <= 5', then: q.b}"), Texts{});
  const std::string critical = "critical: {critical: 1, findings: [{finding: q.a}]}\n";
  EXPECT_EQ(check(sample_law(critical + "rules: [{id: B, when: 'x > 5', then: q.b}]", with_default)).count(Severity::error), 1U);
  EXPECT_EQ(check(sample_law(critical + "laws: [{id: L, when: 'x > 5', escalate: q}]", with_default)).count(Severity::error), 0U);
  EXPECT_EQ(told_with_default("route: {home: [{engines: [e]}]}"), (Texts{"no link"}));
  EXPECT_EQ(told_with_default("route: {home: [{engines: [e]}]}\nlinks: [{id: X, from: f, to: e, when: 'on'}]"), Texts{});
  EXPECT_EQ(check(sample_law("rules: [{id: B, when: 'x > 5', then: q.b}]", with_default)).found.at("no tests"), 1U);
}

TEST(Check, AHeadThatItsBodyDenies) {
  const std::string panels = "panels: [{name: kid, members: [e], answers: [q]}, {name: root, members: [kid, f]}]\n";
  const auto of = [&](const std::string& when) {
    return told_with_default(panels + "rules: [{id: A, when: '" + when + "', then: q.a}]");
  };
  const auto denies = [&](const std::string& when) {
    const Texts texts = of(when);
    return std::find(texts.begin(), texts.end(), "head negated A") != texts.end();
  };
  EXPECT_TRUE(denies("kid.q != \"a\""));
  EXPECT_TRUE(denies("x > 5 and not kid.q == \"a\""));
  EXPECT_TRUE(denies("kid.q == \"b\""));
  EXPECT_FALSE(denies("kid.q == \"a\""));
  EXPECT_FALSE(denies("not kid.q == \"b\""));
}

TEST(Check, WhatItCannotSayIsSaidToBeOpen) {
  const LawCheck found =
      check(sample_law("rules: [{id: A, when: 'count(root, each.label == \"p\") >= 3', then: q.a}]", with_default));
  EXPECT_EQ(found.given_up.at("unsatisfiable"), 1U);
  EXPECT_NE(to_text(found, "law.yaml").find("law.yaml: not analysed: unsatisfiable of A: it reads several engines at once"),
            std::string::npos);
}

TEST(Check, ListsAreCutAndCounted) {
  std::string rules = "rules:\n";
  for (int i = 0; i < 30; ++i) rules += "  - {id: A-" + std::to_string(i) + ", when: 'on and not on', then: q.a}\n";
  CheckOptions five;
  five.most_listed = 5;
  const LawCheck found = check(sample_law(rules, with_default), five);
  EXPECT_EQ(found.found.at("unsatisfiable"), 30U);
  EXPECT_EQ(
      std::count_if(found.findings.begin(), found.findings.end(), [](const Finding& f) { return f.check == "unsatisfiable"; }),
      5);
  EXPECT_NE(to_text(found, "law.yaml").find("unsatisfiable: and 25 more"), std::string::npos);
}

TEST(Check, AWitnessIsWhatExplainReads) {
  const law::Law law = sample_law(
      "rules:\n  - {id: A, when: 'x > 5 and e.label == \"p\"', then: q.a}\n  - {id: B, when: 'x > 6', then: q.b}", with_default);
  const LawCheck found = check(law);
  ASSERT_EQ(told(found), (Texts{"overlap A B"}));
  Problems problems;
  const auto given = law::read_given_case(law.model(), yaml::parse(found.findings[0].witness, "witness"), problems);
  ASSERT_TRUE(given);
  EXPECT_NE(law::Derivation(law.model(), *given).text().find("QUESTION q: ABSTAIN (conflict)"), std::string::npos);
}

}  // namespace
}  // namespace hiple::audit
