#include <gmock/gmock.h>

#include "data/thyroid_diagnosis.hpp"

namespace hiple::data {
namespace {

using testing::ElementsAre;

ThyroidDiagnosis parse(std::string_view text) { return parse_thyroid_diagnosis(text, {"records", 3, 1}); }

TEST(ThyroidDiagnosis, NothingToSay) {
  const ThyroidDiagnosis diagnosis = parse("-[840801013]");
  EXPECT_EQ(diagnosis.record, 840801013U);
  EXPECT_EQ(diagnosis.year, 1984);
  EXPECT_EQ(diagnosis.letters, "-");
  EXPECT_THAT(diagnosis.truth, ElementsAre("none", "none", "none", "none", "none", "none"));
  EXPECT_THAT(diagnosis.also, testing::Each(""));
  EXPECT_EQ(diagnosis.hyper(), "none");
  EXPECT_EQ(diagnosis.hypo(), "none");
}

TEST(ThyroidDiagnosis, SeveralLettersAnswerSeveralQuestions) {
  const ThyroidDiagnosis diagnosis = parse("GKJ[861231007]");
  EXPECT_EQ(diagnosis.year, 1986);
  EXPECT_THAT(diagnosis.truth, ElementsAre("compensated_hypothyroid", "decreased", "non_thyroidal", "none", "none", "none"));
  EXPECT_EQ(diagnosis.hypo(), "compensated_hypothyroid");
  EXPECT_EQ(diagnosis.hyper(), "none");
}

TEST(ThyroidDiagnosis, OfXOrYTheTruthIsY) {
  const ThyroidDiagnosis diagnosis = parse("C|I[850101001]");
  EXPECT_THAT(diagnosis.truth, ElementsAre("none", "increased", "none", "none", "none", "none"));
  EXPECT_THAT(diagnosis.also, ElementsAre("toxic_goitre", "", "", "", "", ""));
  EXPECT_EQ(diagnosis.hyper(), "none") << "X is no training label";
}

TEST(ThyroidDiagnosis, EveryLetterHasAnAnswer) {
  EXPECT_EQ(parse("A[850101001]").hyper(), "hyperthyroid");
  EXPECT_EQ(parse("B[850101001]").hyper(), "t3_toxic");
  EXPECT_EQ(parse("D[850101001]").truth[0], "secondary_toxic");
  EXPECT_EQ(parse("E[850101001]").hypo(), "hypothyroid");
  EXPECT_EQ(parse("F[850101001]").hypo(), "primary_hypothyroid");
  EXPECT_EQ(parse("H[850101001]").hypo(), "secondary_hypothyroid");
  EXPECT_EQ(parse("L[850101001]").truth[3], "consistent");
  EXPECT_EQ(parse("M[850101001]").truth[3], "under");
  EXPECT_EQ(parse("N[850101001]").truth[3], "over");
  EXPECT_EQ(parse("O[850101001]").truth[4], "antithyroid_drugs");
  EXPECT_EQ(parse("P[850101001]").truth[4], "i131");
  EXPECT_EQ(parse("Q[850101001]").truth[4], "surgery");
  EXPECT_EQ(parse("R[850101001]").truth[5], "discordant");
  EXPECT_EQ(parse("S[850101001]").truth[5], "elevated_tbg");
}

TEST(ThyroidDiagnosis, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "-", "A", "A[85010100]", "A[8501010011]", "A 850101001", "[850101001]", "A[850101001",
                           "A[851301001]", "A[85010100x]", "U[850101001]", "T[850101001]", "a[850101001]", "A-[850101001]",
                           "AB[850101001]", "A|[850101001]", "A|B|C[850101001]", "|A[850101001]"}) {
    EXPECT_THROW(parse(text), InputError) << text;
  }
}

}  // namespace
}  // namespace hiple::data
