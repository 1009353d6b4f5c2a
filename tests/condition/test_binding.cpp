#include <gtest/gtest.h>

#include "condition_sample.hpp"

namespace hiple::condition {
namespace {

TEST(Binding, WhatIsAccepted) {
  const Sample sample;
  for (const char* text : {"TSH > 6 [mU/L] and FTI <= 65",
                           "TSH > 0.006 [U/L]",
                           "n == 5",
                           "n in {1, 2}",
                           "n in [1, 2.5)",
                           "TSH in [5, 5]",
                           "sex == \"F\"",
                           "sex == other",
                           "\"F\" != sex",
                           "sick or not well",
                           "sick",
                           "born < \"2020-01-01\"",
                           "born in [\"2020-01-01\", seen]",
                           "born == seen",
                           "age(born) >= 18",
                           "age(born) >= 18 [a]",
                           "hypo.label == \"F\"",
                           "hypo.label == hyper.label",
                           "hypo.label in {\"F\", \"G\"}",
                           "hypo.confidence > 0.5",
                           "hypo.judged",
                           "wear.value > 3",
                           "both.state == \"ill\"",
                           "agree(both)",
                           "count(all, each.label == \"none\") >= 2",
                           "count(all, each.judged and sick) == 1",
                           "mean(all.typicality) < 0.5",
                           "t - t > 3 [K]",
                           "t > k",
                           "within(t, 37, 1 [K])",
                           "torque * speed > 3500 [W]",
                           "torque * speed * 2 > 3500",
                           "m > 1 [h]",
                           "1 < 2",
                           "true",
                           "`air temperature` - k < 8.6 [K]",
                           "torque / torque < 2",
                           "torque / speed > 1"})
    EXPECT_EQ(sample.problem(text), "accepted") << text;
}

TEST(Binding, ProblemsNameThePlaceAndTheNearest) {
  const Sample sample;
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"n > 1 and TSHH > 6", "law.yaml:3:20: there is no column \"TSHH\" (did you mean \"TSH\"?)"},
      {"label == \"x\"", "cannot be read here: its role is label"},
      {"hypo == \"F\"", "\"hypo\" is no column"},
      {"hypp.judged", "there is no engine \"hypp\" here (did you mean"},
      {"hypo.lable == \"F\"", "did you mean \"label\"?"},
      {"hypo.label == \"H\"", "hypo.label is never \"H\""},
      {"sex == \"f\"", "sex is never \"f\" (did you mean \"F\"?)"},
      {"hypo.probability[\"H\"] > 0.1", "\"H\" is no class of the engine \"hypo\""},
      {"both.state == \"well\"", "both.state is never \"well\""},
      {"both.stat == \"ill\"", "did you mean \"both.state\"?"},
      {"evidence.TSHH > 1",
       "there is no evidence about \"TSHH\": evidence is about input columns and questions (did you mean \"TSH\"?)"},
      {"evidence.label == \"x\"", "evidence.label cannot be read: its role is label"},
      {"evidence.TSH > 1 [kg]", "kg"},
      {"evidence.state == \"il\"", "evidence.state is never \"il\" (did you mean \"ill\"?)"},
      {"evidence.probability[\"x\"] > 1", "evidence has no classes"},
      {"evidence > 1", "there is no column \"evidence\""},
      {"known(evidence.nothing)", "there is no evidence about \"nothing\""},
      {"each.judged", "`each` has a meaning inside count() only"},
      {"TSH == 6", "use within(x, y, tolerance)"},
      {"n == 6.0", "use within(x, y, tolerance)"},
      {"TSH in {1, 2}", "use an interval"},
      {"n in {1.5}", "this set needs a whole number"},
      {"sick == true", "a condition cannot be compared"},
      {"TSH", "TSH is a real number"},
      {"TSH and sick", "`and` needs a condition"},
      {"not n", "`not` needs a condition"},
      {"sick + 1 > 2", "arithmetic needs a whole number or a real number"},
      {"sex < other", "texts have no order"},
      {"sex == 1", "cannot compare a text with a whole number"},
      {"sex in [1, 2]", "`in` an interval needs"},
      {"TSH in [5, 3]", "nothing lies in this interval: 5 is not below 3 (exchange its ends)"},
      {"TSH in [5, 5)", "nothing lies in this interval"},
      {"TSH in [5 [mU/L], 0.004 [U/L]]", "nothing lies in this interval"},
      {"born in [\"2021-01-01\", \"2020-01-01\"]", "nothing lies in this interval"},
      {"born > 3", "3 is no date"},
      {"born > \"2020-02-30\"", "\"2020-02-30\" is no date"},
      {"age(n) > 3", "age() needs a date"},
      {"known(hypo)", "\"hypo\" is no column"},
      {"count(both, each.label == \"F\")", "an aggregate"},
      {"2 <= count(both, each.judged)", "stand on the left, a constant on the right"},
      {"count(both, each.judged) > n", "stand on the left, a constant on the right"},
      {"count(both, each.judged) + 1 > 2", "arithmetic needs"},
      {"count(all, each.label == \"F\") > 1", "nti.label is never \"F\""},
      {"count(both, n) > 1", "count() needs a condition about `each`"},
      {"count(boht, each.judged) > 1", "there is no panel \"boht\" here"},
      {"count(both, count(both, each.judged) > 1) > 1", "count() cannot stand inside count()"},
      {"count(none, each.judged) > 1", "has no engines"},
      {"agree(all)", "agree() needs engines with the same classes"},
      {"max(all.label) > 1", "\"label\" cannot be averaged"},
      {"wear.label == \"F\"", "the engine \"wear\" has no .label"},
      {"hypo.value > 1", "the engine \"hypo\" has no .value"},
      {"hypo.confidence > 0.5 [%]", "hypo.confidence has no unit"},
      {"TSH > 6 [K]", "6 [K] has [K], TSH has [mU/L]"},
      {"FTI > 6 [K]", "FTI has no unit that is known here"},
      {"TSH > FTI", "FTI has no unit that is known here, TSH has [mU/L]"},
      {"TSH + torque > 1", "one cannot be converted to the other"},
      {"speed > 25 [Hz]", "one cannot be converted to the other"},
      {"t + t > 3", "values in [degC] cannot be added"},
      {"t * 2 > 3", "cannot be multiplied or divided"},
      {"-t > 3", "cannot be negated"},
      {"within(t, 37, 1 [degC])", "accepted"},
  };
  for (const auto& [text, wanted] : texts)
    EXPECT_NE(sample.problem(text).find(wanted), std::string::npos) << text << "\n  " << sample.problem(text);
}

TEST(Binding, EveryProblemInOneGo) {
  const Sample sample;
  try {
    (void)sample.read("TSHH > 1 or sxe == \"F\" or hypo.label == \"H\" or TSH == 1");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 4U) << error.what();
  }
}

TEST(Binding, WhatAConditionReads) {
  const Sample sample;
  const Condition condition =
      sample.read("known(TSH) and n > 1 and hypo.probability[\"F\"] > 0.1 and count(both, each.label == \"G\") > 1");
  EXPECT_EQ(condition.columns(), (std::set<std::string>{"TSH", "n"}));
  EXPECT_EQ(condition.engines(), (std::set<std::string>{"hyper", "hypo"}));
  EXPECT_EQ(condition.probabilities(), (std::set<std::string>{"hypo"}));
  EXPECT_EQ(Condition().canonical(), "true");
}

}  // namespace
}  // namespace hiple::condition
