#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.hpp"
#include "law/explain_sample.hpp"

namespace hiple::law {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Explain : public ::testing::Test {
 protected:
  [[nodiscard]] std::string explained(std::uint64_t case_id, const std::string& why_not = {}) const {
    return explain(sample_.law(), sample_.table, sample_.engines(), case_id, why_not);
  }
  ExplainSample sample_;
};

TEST_F(Explain, BeginsWithTheAnswers) {
  EXPECT_THAT(explained(11), ::testing::StartsWith("CASE 11 under the law \"small thyroid\"\n"
                                                   "  illness: ABSTAIN (blocked)\n"
                                                   "  state: DECIDE hypo, not firm\n"));
  EXPECT_THAT(explained(12), HasSubstr("state: DECIDE hyper, firm, critical"));
  EXPECT_THAT(explained(14), HasSubstr("state: ESCALATE to endocrinologist (law)"));
}

TEST_F(Explain, ReadsInputsWithUnitsAndNamesWhatIsNotThere) {
  const std::string text = explained(11);
  EXPECT_THAT(text, HasSubstr("\n  TSH       7.25 mU/L\n"));
  EXPECT_THAT(text, HasSubstr("\n  T3        missing\n"));
  EXPECT_THAT(text, HasSubstr("\n  sex       M\n"));
  EXPECT_THAT(text, HasSubstr("\n  pregnant  false\n"));
  EXPECT_THAT(text, HasSubstr("\n  seen      2024-10-04\n"));
  EXPECT_THAT(explained(14), HasSubstr("\n  FTI       invalid\n"));
}

TEST_F(Explain, TellsWhatBroughtEachEngineIn) {
  const std::string text = explained(11);
  EXPECT_THAT(text, HasSubstr("round 0: hypo_engine, the home engines, by entry 1 of the route: TSH > 4 [mU/L]\n"));
  EXPECT_THAT(text,
              HasSubstr("link X-1: hypo_engine calls nti where T3 <= 1.1 [nmol/L] or TSH > 6 [mU/L]: a TSH of 7.25 mU/L\n"));
  EXPECT_THAT(text, HasSubstr("round 1: nti\n    no link reached a new engine; broadened to needed"));
  EXPECT_THAT(text, HasSubstr("round 2: hyper_engine\n"));
  EXPECT_THAT(explained(12), HasSubstr("round 0: hyper_engine, the home engines, by entry 2 of the route (otherwise)\n"));
}

TEST_F(Explain, TellsEachJudgment) {
  const std::string text = explained(14);
  EXPECT_THAT(text, HasSubstr("hyper_engine  says none, confidence 0.5, typicality 0.0625 (none 0.500, hyper 0.500)\n"));
  EXPECT_THAT(text, HasSubstr("hypo_engine   abstained: not its kind of case (typicality 0.0625)\n"));
  EXPECT_THAT(text, HasSubstr("nti           not available: out of memory\n"));
}

TEST_F(Explain, FillsTheReasonOfWhatCarriesTheDecision) {
  EXPECT_THAT(explained(11), HasSubstr("by F-1@3: TSH 7.25 mU/L, index 60, seen 2024-10-04; the engine says hypo at 0.875\n"));
  EXPECT_THAT(explained(14), HasSubstr("by L-1@1: it gives 0.5\n"));
}

TEST_F(Explain, ShowsEveryPremiseWithItsTruthAndValues) {
  EXPECT_THAT(explained(11), HasSubstr("  F-1 version 3 for state.hypo (High TSH with a low index) stands\n"
                                       "    TRUE     all of\n"
                                       "      TRUE     hypo_engine.label == \"hypo\"   (hypo_engine.label = hypo)\n"
                                       "      TRUE     hypo_engine.confidence >= 0.75   (hypo_engine.confidence = 0.875)\n"
                                       "      TRUE     TSH > 6 [mU/L]   (TSH = 7.25 mU/L)\n"
                                       "      TRUE     any of\n"
                                       "        TRUE     FTI <= 65   (FTI = 60)\n"
                                       "        FALSE    sex == \"F\"   (sex = M)\n"));
  EXPECT_THAT(explained(11),
              HasSubstr("UNKNOWN  count(root, each.judged) >= 3   (hyper_engine.judged: TRUE; hypo_engine.judged: TRUE;\n"
                        "             nti.judged: UNKNOWN, nti is not available (out of memory))\n"));
}

TEST_F(Explain, SaysWhatBecameOfEachRule) {
  const std::string text = explained(11);
  EXPECT_THAT(text, HasSubstr("  G-1 version 1 for state.subclinical fires, but is defeated by F-1\n"));
  EXPECT_THAT(text, HasSubstr("  G-2 version 1 for state.subclinical is blocked: T3 is missing\n"
                              "    it would need T3 > 4 [nmol/L]\n"));
  EXPECT_THAT(text, HasSubstr("  The default for state.none fires, but is defeated by F-1\n"));
  EXPECT_THAT(text, HasSubstr("  silent:\n    A-1 for state.hyper             FALSE hyper_engine.label == \"hyper\""));
  EXPECT_THAT(text, HasSubstr("  G-3 version 1 takes no part: it is retired\n"));
  EXPECT_THAT(explained(14),
              HasSubstr("The default for state.none fires, but it is not known whether it is defeated: F-1, G-1 is UNKNOWN"));
}

TEST_F(Explain, SaysPlainlyWhetherALawApplies) {
  EXPECT_THAT(explained(14),
              HasSubstr("  law L-1 (a possible thyrotoxicosis is looked at) applies and escalates state\n    TRUE     all of\n"));
  EXPECT_THAT(explained(12),
              HasSubstr("  law L-1 (a possible thyrotoxicosis is looked at) does not apply: it would escalate state\n"
                        "    FALSE    all of\n"));
}

TEST_F(Explain, SaysWhatIsNotKnown) {
  EXPECT_THAT(explained(11), HasSubstr("  it would be firm but for: T3 is missing\n"));
  EXPECT_THAT(explained(11), HasSubstr("  not known: nti is not available (out of memory)\n"));
  EXPECT_THAT(explained(11),
              HasSubstr("illness_panel.illness         ABSTAIN (blocked): nti is not available (out of memory)\n"));
}

TEST_F(Explain, WhyNot) {
  EXPECT_THAT(explained(11, "F-1"), HasSubstr("WHY NOT F-1?\n  It stands, and the decision rests on it\n"));
  EXPECT_THAT(explained(11, "G-1"), HasSubstr("WHY NOT G-1?\n  It fires, but is defeated by F-1\n"));
  EXPECT_THAT(explained(12, "G-2"), HasSubstr("WHY NOT G-2?\n  It is silent: its condition is FALSE\n"
                                              "  Its condition would need not pregnant\n"
                                              "  What keeps it from being TRUE:\n"
                                              "    TRUE pregnant   (pregnant = true)\n"));
  EXPECT_THAT(explained(14, "F-1"), HasSubstr("    UNKNOWN TSH > 6 [mU/L]   (TSH = missing)\n"));
  EXPECT_THAT(explained(14, "F-1"), Not(HasSubstr("    UNKNOWN FTI <= 65")));  // sex == "F" makes it irrelevant
  EXPECT_THAT(explained(11, "G-3"), HasSubstr("WHY NOT G-3?\n  It takes no part: it is retired\n  Its condition is TRUE.\n"));
}

TEST_F(Explain, RefusesWhatIsNotThere) {
  try {
    (void)explained(13);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no case 13 in the table: its cases are numbered from 11 to 14");
  }
  try {
    (void)explained(11, "F-9");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no rule or law \"F-9\" in this law (did you mean \"F-1\"?)"));
  }
}

TEST_F(Explain, IsNeverWiderThanAPage) {
  for (const std::uint64_t case_id : {11U, 12U, 14U}) {
    std::istringstream lines(explained(case_id, "F-1"));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

}  // namespace
}  // namespace hiple::law
