#include <gtest/gtest.h>

#include "audit/settle.hpp"
#include "audit_sample.hpp"
#include "law/derivation.hpp"

namespace hiple::audit {
namespace {

std::vector<law::Settlement> settle_case(const law::Law& law, const std::string& text) {
  Problems problems;
  const auto given = law::read_given_case(law.model(), yaml::parse(text, "case"), problems);
  problems.throw_if_any();
  const law::Derivation derivation(law.model(), *given);
  return settle(derivation.subject());
}

TEST(Settle, OneValueThatDecidesWhateverItIs) {
  const law::Law law = sample_law("rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'x <= 5', then: q.b}");
  const auto found = settle_case(law, "{}");
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].sets.size(), 1U);
  EXPECT_EQ(found[0].sets[0].what, std::vector<std::string>{"x"});
  EXPECT_TRUE(found[0].sets[0].always);
  EXPECT_TRUE(settle_case(law, "{x: 3}").empty());
}

TEST(Settle, TheSmallestSetIsFound) {
  const law::Law law = sample_law("rules: [{id: A, when: 'x > 5 and y > 5 and on', then: q.a}]");
  const auto found = settle_case(law, "{on: true}");
  ASSERT_EQ(found[0].sets.size(), 1U);
  EXPECT_EQ(found[0].sets[0].what, (std::vector<std::string>{"x", "y"}));
  EXPECT_FALSE(found[0].sets[0].always);
  EXPECT_EQ(found[0].sets[0].values, "{x: 6, y: 6}");
  EXPECT_EQ(found[0].sets[0].finding, "a");
  EXPECT_EQ(settle_case(law, "{on: true, y: 7}")[0].sets[0].what, std::vector<std::string>{"x"});
}

TEST(Settle, AnEngineThatIsSilentIsTriedToo) {
  const law::Law law =
      sample_law("rules: [{id: A, when: 'e.probability[\"p\"] >= 0.3 and e.probability[\"p\"] < 0.4', then: q.a}]");
  const auto found = settle_case(law, "{e: abstained}");
  ASSERT_EQ(found[0].sets.size(), 1U);
  EXPECT_EQ(found[0].sets[0].what, std::vector<std::string>{"e"});
  EXPECT_EQ(found[0].sets[0].values, "{e: {none: 0.7, p: 0.3}}");
}

TEST(Settle, WhatALawHidesIsLookedAtToo) {
  const law::Law law = sample_law("rules: [{id: A, when: 'x > 5', then: q.a}]\nlaws: [{id: L, when: 'on', escalate: q}]");
  const auto barred = settle_case(law, "{on: true}");
  ASSERT_EQ(barred.size(), 1U);
  EXPECT_TRUE(barred[0].sets.empty() && !barred[0].given_up);
  const auto both = settle_case(law, "{on: null}");
  ASSERT_EQ(both[0].sets.size(), 1U);
  EXPECT_EQ(both[0].sets[0].what, (std::vector<std::string>{"x", "on"}));
  const law::GivenCase empty = law::empty_case(law.model());
  EXPECT_EQ(settle_text(settle(law::Derivation(law.model(), empty).subject())).find("\nWHAT COULD SETTLE q\n  x and on: {"), 0U);
}

}  // namespace
}  // namespace hiple::audit
