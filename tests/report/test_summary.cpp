#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "report/summary.hpp"

namespace hiple::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Summary example() {
  Summary summary;
  summary.name = "thyroid";
  summary.state = "partial";
  summary.engines.resize(2);
  summary.engines[0].name = "hypo";
  summary.engines[0].available = true;
  summary.engines[0].parameters = 5349;
  summary.engines[0].test_rows = 1200;
  summary.engines[0].abstained = 12;
  summary.engines[0].accuracy = 0.98765;
  summary.engines[0].epochs = 40;
  summary.engines[0].seconds = 2.5;
  summary.engines[1].name = "nti";
  summary.engines[1].reason = "one class only";
  summary.ranks = {{0, "trainer", 1, 0, 0, 2.5}, {1, "integrator", 0, 3, 24, not_available}};
  summary.certificate = {"synchronised", {"10 MPI calls", "and more"}};
  summary.cases = 9172;
  summary.test_cases = 3592;
  summary.questions = 2;
  summary.all.decided = 18000;
  summary.all.abstained = 44;
  summary.all.abstained_for[static_cast<std::size_t>(law::Reason::conflict)] = 44;
  summary.all.escalated = 300;
  summary.all.escalated_for[static_cast<std::size_t>(law::Reason::law)] = 300;
  summary.test.decided = 7184;
  summary.root = "abcd";
  summary.seconds = 61;
  summary.law_seconds = 0.25;
  summary.files = {{"decisions", "runs/thyroid/decisions.h5"}};
  return summary;
}

TEST(Summary, SaysWhatHappened) {
  const std::string text = summary_text(example());
  EXPECT_THAT(text, HasSubstr("Run thyroid: partial, 1 of 2 engines, 1 min 01 s\n"));
  EXPECT_THAT(text, HasSubstr("hypo         5 349          1 200         12     0.988       n/a      40     2.5 s\n"));
  EXPECT_THAT(text, HasSubstr("FAILED nti: one class only\n"));
  EXPECT_THAT(text, HasSubstr("9 172 cases, 3 592 of them test, 2 questions each; the law took 0.250 s\n"));
  EXPECT_THAT(text, HasSubstr("decided     7 184  100.00 %     18 000  98.12 %\n"));
  EXPECT_THAT(text, HasSubstr("  conflict      0    0.00 %         44   0.24 %\n"));
  EXPECT_THAT(text, Not(HasSubstr("possible")));
  EXPECT_THAT(text, HasSubstr("MPI calls while training, all 2 ranks: 3\n"));
  EXPECT_THAT(text, HasSubstr("certificate: synchronised\n  10 MPI calls\n  and more\n"));
  EXPECT_THAT(text, HasSubstr("decisions  runs/thyroid/decisions.h5\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(Summary, AnEmptyRunIsNotAvailableNotZero) {
  const std::string text = summary_text({});
  EXPECT_THAT(text, HasSubstr("0 of 0 engines\n"));
  EXPECT_THAT(text, HasSubstr("MPI was not in use"));
  EXPECT_THAT(text, HasSubstr("decided       0  n/a          0  n/a\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(Summary, AnEngineTrainedElsewhereHasNoFiguresHere) {
  Summary summary = example();
  summary.engines[0] = {};
  summary.engines[0].name = "hypo";
  summary.engines[0].available = true;
  EXPECT_THAT(summary_text(summary),
              HasSubstr("hypo           n/a            n/a        n/a       n/a       n/a     n/a       n/a\n"));
}

TEST(Summary, ShowsWhereEnginesWereTrained) {
  Summary summary = example();
  summary.engines[0].rank = 3;
  EXPECT_THAT(summary_text(summary), HasSubstr("training  rank\n"));
  EXPECT_THAT(summary_text(summary), HasSubstr("2.5 s     3\n"));
}

TEST(Summary, ManyRanksAreCountedNotListed) {
  Summary summary = example();
  summary.ranks.assign(1000, {0, "trainer", 1, 2, 0, 1.0});
  const std::string text = summary_text(summary);
  EXPECT_THAT(text, HasSubstr("... and 984 more ranks\n"));
  EXPECT_THAT(text, HasSubstr("all 1000 ranks: 2 000\n"));
}

TEST(Summary, RegressionShowsItsError) {
  Summary summary = example();
  summary.engines[0].rmse = 1.25;
  EXPECT_THAT(summary_text(summary), HasSubstr("rmse"));
  EXPECT_THAT(summary_text(summary), HasSubstr("1.250"));
}

TEST(Summary, FiguresCarryCountsAndBounds) {
  Summary summary = example();
  gate::Figures figures;
  figures.rows = 100;
  figures.unknown = 3;
  figures.exact = {90, 97};
  figures.silent = {0, 59};
  figures.basis = gate::Basis::stated;
  figures.questions.resize(2);
  figures.questions[0].question = "state";
  figures.questions[0].has_truth = true;
  figures.questions[0].right = 90;
  figures.questions[1].question = "overstrain_failure";
  summary.gates = gate::judge(figures, {});
  summary.figures = figures;
  const std::string text = summary_text(summary);
  EXPECT_THAT(text, HasSubstr("critical missed in silence                  0  59  0.000     0.000    0.050\n"));
  EXPECT_THAT(text, HasSubstr("cross-boundary: every finding found         0   0    n/a       n/a      n/a\n"));
  EXPECT_THAT(text, HasSubstr("left out, for their truth is missing: 3 of 100 cases\n"));
  EXPECT_THAT(text, HasSubstr("needs n >= 299"));
  EXPECT_THAT(text, HasSubstr("no truth"));
  EXPECT_THAT(text, Not(HasSubstr("at worst")));
  for (const std::string& line : split(text, '\n')) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Summary, ManyCasesWithoutTruthShowTheWorstCase) {
  gate::Figures figures;
  figures.rows = 100;
  figures.unknown = 6;
  figures.exact = {90, 94};
  figures.silent = {1, 20};
  const std::string text = figures_text(figures, gate::judge(figures, {}));
  EXPECT_THAT(text, HasSubstr("every answer right                    90  100  0.900"));
  EXPECT_THAT(text, HasSubstr("silent critical misses                 7   26  0.269     0.134    0.447  FAIL"));
}

}  // namespace
}  // namespace hiple::report
