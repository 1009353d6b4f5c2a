#include <gtest/gtest.h>

#include <algorithm>

#include "audit/law_tests.hpp"
#include "audit/law_tests_text.hpp"
#include "audit_sample.hpp"

namespace hiple::audit {
namespace {

LawTests run(const std::string& rest) { return run_law_tests(sample_law(rest)); }

std::vector<std::string> living(const LawTests& tests) {
  std::vector<std::string> changes;
  for (const MutantResult& mutant : tests.mutants)
    if (!mutant.killed) changes.push_back(mutant.id + ": " + mutant.change);
  return changes;
}

TEST(LawTests, TellsWhichExampleFailsAndWhy) {
  const LawTests tests =
      run("rules:\n"
          "  - {id: A, when: 'x > 6', then: q.a, tests: {fires: [{x: 7}, {x: 6}], unknown: [{x: 5}], silent: [{}]}}\n"
          "  - {id: B, when: 'x > 8', then: q.b, overrides: [A], tests: {defeated: [{x: 9}]}}");
  ASSERT_EQ(tests.examples, 5U);
  ASSERT_EQ(tests.failures.size(), 4U);
  EXPECT_EQ(tests.failures[0].place.text(), "law.yaml:5:63");
  EXPECT_EQ(tests.failures[0].found, "its condition is FALSE");
  EXPECT_EQ(tests.failures[1].found, "its condition is FALSE");
  EXPECT_EQ(tests.failures[2].found, "its condition is UNKNOWN: missing:x");
  EXPECT_EQ(tests.failures[3].found, "its condition is TRUE, but no rule that overrides it stands");
  EXPECT_TRUE(tests.mutants.empty());
}

TEST(LawTests, ADefeatedExampleNoticesALostOverride) {
  const std::string rules =
      "rules:\n"
      "  - {id: A, when: 'on', then: q.a, tests: {fires: [{on: true}], silent: [{on: false}], unknown: [{on: null}]%s}}\n"
      "  - {id: B, when: 'off', then: q.b, overrides: [A], tests: {fires: [{off: true}], silent: [{off: false}]}}";
  const auto with = [&](const std::string& more) {
    std::string text = rules;
    return run(text.replace(text.find("%s"), 2, more));
  };
  EXPECT_EQ(living(with("")), std::vector<std::string>{"B: no longer overrides A"});
  EXPECT_TRUE(living(with(", defeated: [{on: true, off: true}]")).empty());
}

TEST(LawTests, MutantsAreNoticedAtTheBoundaryOnly) {
  const auto lives = [](const std::string& condition, const std::string& examples) {
    return living(run("laws: [{id: L, when: '" + condition + "', escalate: q, tests: {" + examples + "}}]"));
  };
  EXPECT_EQ(lives("x > 6", "fires: [{x: 7}], silent: [{x: 5}]").size(), 3U);
  EXPECT_EQ(lives("x > 6", "fires: [{x: 6.000000000000001}], silent: [{x: 6}]").size(), 0U);
  EXPECT_EQ(lives("n >= 6", "fires: [{n: 6}], silent: [{n: 5}]").size(), 0U);
  EXPECT_EQ(lives("e.confidence >= 0.3",
                  "fires: [{e: {label: p, confidence: 0.3}}], silent: [{e: {label: p, confidence: 0.29999998}}]"),
            std::vector<std::string>{});
  EXPECT_EQ(lives("x in [2, 3)", "fires: [{x: 2}, {x: 2.9999999999999996}], silent: [{x: 1.9999999999999998}, {x: 3}]").size(),
            0U);
  EXPECT_EQ(lives("on and off and n > 1", "fires: [{on: true, off: true, n: 2}], silent: [{on: true, off: true, n: 1}]"),
            (std::vector<std::string>{"L: `and` becomes `or` between (on) and (off)"}));
}

TEST(LawTests, CoverageCountsWhatTheWholeLawHasShown) {
  const LawTests tests =
      run("rules:\n"
          "  - {id: A, when: 'on and x > 6', then: q.a, tests: {fires: [{on: true, x: 7}]}}\n"
          "  - {id: B, when: 'off', then: q.b, overrides: [A], tests: {fires: [{off: true, on: true, x: 9}]}}\n"
          "  - {id: C, status: retired, when: 'off', then: q.b}");
  ASSERT_EQ(tests.shown.size(), 2U);
  const Shown& a = tests.shown[0];
  EXPECT_TRUE(a.fired && a.defeated && a.can_be_defeated);
  EXPECT_FALSE(a.silent || a.unknown);
  EXPECT_TRUE(a.idle_atoms.empty());  // either atom FALSE makes it FALSE
  EXPECT_EQ(a.examples, 1U);
  EXPECT_TRUE(tests.shown[1].silent);
  const std::string text = to_text(tests, "law.yaml");
  EXPECT_NE(text.find("A: never seen silent"), std::string::npos) << text;
  EXPECT_NE(text.find("B: never seen unknown"), std::string::npos) << text;
}

}  // namespace
}  // namespace hiple::audit
