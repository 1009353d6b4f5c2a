#include <gtest/gtest.h>

#include <limits>

#include "base/date.hpp"
#include "condition_sample.hpp"

namespace hiple::condition {
namespace {

/// Three conditions that are TRUE, FALSE and UNKNOWN, and a second UNKNOWN.
Sample three_valued() {
  Sample sample;
  sample.set("sick", 1).set("well", 0);
  return sample;
}

TEST(Evaluation, KleeneTablesWithCauses) {
  const Sample sample = three_valued();
  const std::vector<std::pair<std::string, std::string>> table = {
      {"sick and sick", "TRUE"},
      {"sick and well", "FALSE"},
      {"well and well", "FALSE"},
      {"sick and n > 1", "UNKNOWN missing:n"},
      {"n > 1 and well", "FALSE"},
      {"well and n > 1", "FALSE"},
      {"n > 1 and FTI > 1", "UNKNOWN missing:FTI missing:n"},
      {"sick or well", "TRUE"},
      {"well or well", "FALSE"},
      {"n > 1 or sick", "TRUE"},
      {"sick or n > 1", "TRUE"},
      {"n > 1 or well", "UNKNOWN missing:n"},
      {"n > 1 or FTI > 1", "UNKNOWN missing:FTI missing:n"},
      {"not sick", "FALSE"},
      {"not well", "TRUE"},
      {"not n > 1", "UNKNOWN missing:n"},
      {"(n > 1 and well) or FTI > 1", "UNKNOWN missing:FTI"},
      {"(n > 1 or sick) and FTI > 1", "UNKNOWN missing:FTI"},
      {"true", "TRUE"},
      {"false", "FALSE"},
  };
  for (const auto& [text, wanted] : table) EXPECT_EQ(sample.truth(text), wanted) << text;
}

TEST(Evaluation, AnAtomWithAnUnknownOperandIsUnknown) {
  Sample sample;
  sample.set("n", 0).set_invalid("TSH");
  EXPECT_EQ(sample.truth("n * FTI < 1"), "UNKNOWN missing:FTI");
  EXPECT_EQ(sample.truth("TSH > 1"), "UNKNOWN invalid:TSH");
  EXPECT_EQ(sample.truth("within(FTI, n, n + FTI)"), "UNKNOWN missing:FTI");
}

TEST(Evaluation, DivisionByZero) {
  Sample sample;
  sample.set("n", 0).set("FTI", 4);
  EXPECT_EQ(sample.truth("FTI / n > 1"), "UNKNOWN division");
  EXPECT_EQ(sample.truth("FTI / (n + 2) >= 2"), "TRUE");
}

TEST(Evaluation, ComparisonsSetsAndIntervals) {
  Sample sample;
  sample.set("n", 2).set("FTI", 2.5).set("sex", 1).set("other", 0);
  for (const char* text : {"n == 2", "n != 3", "n < 3", "n <= 2", "n > 1", "n >= 2", "n in {1, 2}", "n in [2, 3)", "n in (1, 2]",
                           "FTI in (2, 2.5]", "within(FTI, 2.4, 0.2)", "sex == \"M\"", "sex == other", "sex in {\"F\", \"M\"}",
                           "FTI - n > 0.4", "-n < -1", "n * 2 - 1 > 2"})
    EXPECT_EQ(sample.truth(text), "TRUE") << text;
  for (const char* text : {"n != 2", "n in {1, 3}", "n in (2, 3]", "n in [1, 2)", "FTI in [2.5001, 3]", "sex == \"F\"",
                           "sex != other", "within(FTI, 2, 0.4)"})
    EXPECT_EQ(sample.truth(text), "FALSE") << text;
}

TEST(Evaluation, KnownIsReadInTwoWays) {
  Sample sample;
  sample.set("n", 2).set_invalid("TSH");
  EXPECT_EQ(sample.truth("known(n)"), "TRUE");
  EXPECT_EQ(sample.truth("known(FTI)"), "FALSE");
  EXPECT_EQ(sample.truth("known(TSH)"), "FALSE");
  sample.is_careful = true;
  EXPECT_EQ(sample.truth("known(n)"), "TRUE");
  EXPECT_EQ(sample.truth("known(FTI)"), "UNKNOWN missing:FTI");
  EXPECT_EQ(sample.truth("not known(TSH)"), "UNKNOWN invalid:TSH");
}

TEST(Evaluation, UnitsAreConverted) {
  Sample sample;
  sample.set("TSH", 6).set("t", 37).set("k", 309).set("m", 90).set("torque", 40).set("speed", 1500);
  EXPECT_EQ(sample.truth("TSH >= 0.006 [U/L]"), "TRUE");
  EXPECT_EQ(sample.truth("TSH > 0.006 [U/L]"), "FALSE");
  EXPECT_EQ(sample.truth("t >= 310.15 [K] and t <= 310.15 [K]"), "TRUE");
  EXPECT_EQ(sample.truth("t > k"), "TRUE");
  EXPECT_EQ(sample.truth("k - t < -1.1 [K] and k - t > -1.2"), "TRUE");
  EXPECT_EQ(sample.truth("m == 90 and m in [1.5 [h], 91]"), "TRUE");
  EXPECT_EQ(sample.truth("torque * speed in [6283 [W], 6284 [W]]"), "TRUE");
  EXPECT_EQ(sample.truth("torque * speed > 59999 and torque * speed < 60001"), "TRUE") << "bare is the product's own unit";
}

TEST(Evaluation, Dates) {
  Sample sample;
  sample.set("born", *parse_date("2006-10-04")).set("seen", *parse_date("2006-10-05"));
  EXPECT_EQ(sample.truth("age(born) == 18"), "TRUE");
  EXPECT_EQ(sample.truth("age(seen) == 17"), "TRUE");
  EXPECT_EQ(sample.truth("born < seen and born <= \"2006-10-04\" and born == \"2006-10-04\""), "TRUE");
  EXPECT_EQ(sample.truth("born in {\"2006-10-03\", \"2006-10-05\"}"), "FALSE");
  sample.set("born", *parse_date("2024-10-05"));
  EXPECT_EQ(sample.truth("age(born) < 0"), "TRUE") << "not born yet";
}

TEST(Evaluation, AttributesOfAnEngine) {
  Sample sample;
  const std::vector<float> probability = {0.125F, 0.75F, 0.125F};
  sample.say("hypo", 1, 0.75F, 0.25F);
  sample.voices[0].probability = probability;
  for (const char* text : {"hypo.judged", "hypo.label == \"F\"", "hypo.label in {\"F\", \"G\"}", "hypo.confidence >= 0.75",
                           "hypo.typicality <= 0.25", "hypo.probability[\"G\"] < 0.2"})
    EXPECT_EQ(sample.truth(text), "TRUE") << text;
  sample.be("hypo", Voice::State::abstained);
  EXPECT_EQ(sample.truth("hypo.judged"), "FALSE");
  EXPECT_EQ(sample.truth("hypo.typicality <= 0.25"), "TRUE");
  EXPECT_EQ(sample.truth("hypo.label == \"F\""), "UNKNOWN abstained:hypo");
  sample.be("hypo", Voice::State::invalid);
  EXPECT_EQ(sample.truth("hypo.judged"), "FALSE");
  EXPECT_EQ(sample.truth("hypo.typicality <= 0.25"), "UNKNOWN invalid:hypo");
  for (const auto& [state, cause] : {std::pair{Voice::State::inactive, "UNKNOWN inactive:hypo"},
                                     std::pair{Voice::State::unavailable, "UNKNOWN unavailable:hypo"}}) {
    sample.be("hypo", state);
    for (const char* text : {"hypo.judged", "hypo.typicality < 1", "hypo.label == \"F\"", "hypo.confidence > 0.1"})
      EXPECT_EQ(sample.truth(text), cause) << text;
  }
}

TEST(Evaluation, LabelsOfEnginesAreComparedByName) {
  Sample sample;
  sample.say("hypo", 0, 0.9F).say("nti", 0, 0.9F);
  EXPECT_EQ(sample.truth("hypo.label == nti.label"), "TRUE");  // "none" in both lists
  sample.say("nti", 1, 0.9F).say("hypo", 1, 0.9F);
  EXPECT_EQ(sample.truth("hypo.label == nti.label"), "FALSE");
}

TEST(Evaluation, LiteralsAreRoundedToFloat) {
  Sample sample;
  sample.say("hypo", 1, 0.8F);  // a little over 0.8
  EXPECT_EQ(sample.truth("hypo.confidence > 0.8"), "FALSE");
  EXPECT_EQ(sample.truth("hypo.confidence in [0.8, 0.8]"), "TRUE");
  EXPECT_EQ(sample.truth("within(hypo.confidence, 0.8, 0.0)"), "TRUE");
}

TEST(Evaluation, FindingsOfPanels) {
  Sample sample;
  CauseSet causes;
  causes.add(sample.vocabulary.causes.column("TSH"));
  sample.answers[0] = {true, false, 1, &causes};
  EXPECT_EQ(sample.truth("both.state == \"ill\""), "TRUE");
  sample.is_careful = true;
  EXPECT_EQ(sample.truth("both.state == \"ill\""), "UNKNOWN missing:TSH not_firm:both.state");
  sample.answers[0].firm = true;
  EXPECT_EQ(sample.truth("both.state == \"ill\""), "TRUE");
  sample.answers[0].decided = false;
  EXPECT_EQ(sample.truth("both.state == \"ill\""), "UNKNOWN missing:TSH undecided:both.state");
}

TEST(Evaluation, ATableHasNoEngines) {
  struct Row : View {
    [[nodiscard]] Field column(std::size_t) const override { return {}; }
  };
  EXPECT_THROW((void)Row().engine(0), std::logic_error);
  EXPECT_THROW((void)Row().finding(0), std::logic_error);
}

}  // namespace
}  // namespace hiple::condition
