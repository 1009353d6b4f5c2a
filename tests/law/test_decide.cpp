#include <gtest/gtest.h>

#include <limits>

#include "law_sample.hpp"

namespace hiple::law {
namespace {

/// A table of `rows` cases 10, 20, ...: a counts 0 1 2 3 0 ..., every fifth b is missing.
Table many(std::size_t rows) {
  Table table;
  table.schema = LawSample::schema();
  for (std::size_t row = 0; row < rows; ++row) table.case_id.push_back(10 * (row + 1));
  for (std::size_t column = 0; column < 5; ++column) {
    Column cells;
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    for (std::size_t row = 0; row < rows; ++row) {
      whole.push_back(static_cast<std::int64_t>((row + column) % 4));
      real.push_back(static_cast<double>(row % 7));
      cells.cells.push_back(column == 1 && row % 5 == 0 ? Cell::missing : Cell::known);
    }
    if (column < 4)
      cells.values = whole;
    else
      cells.values = real;
    table.columns.push_back(cells);
  }
  return table;
}

/// Judgments of every second case; the label goes p, q, none.
Judgments every_second(const std::string& name, const Table& table) {
  Judgments judgments;
  judgments.engine = name;
  judgments.classes = {"none", "p", "q"};
  for (std::size_t row = 0; row < table.rows(); row += 2) {
    judgments.case_id.push_back(table.case_id[row]);
    const auto label = static_cast<std::uint16_t>((row / 2 + 1) % 3);
    judgments.label.push_back(label);
    judgments.confidence.push_back(0.75F);
    judgments.typicality.push_back(0.5F);
    judgments.status.push_back(JudgmentStatus::judged);
    for (std::uint16_t i = 0; i < 3; ++i) judgments.probability.push_back(i == label ? 0.75F : 0.125F);
  }
  return judgments;
}

LawSample sample_law() {
  LawSample sample;
  sample.engines = {"e", "f"};
  sample.home = {"e"};
  sample.with_default().rules = {"id: R1, when: 'a > 2 and b > 0', then: q.X",
                                 "id: R2, when: 'e.probability[\"p\"] > 0.5', then: q.X",
                                 "id: R3, when: 'f.judged and c > 2', then: q.none"};
  sample.more = "links: [{id: K, from: e, to: f, when: 'e.label == \"q\"'}]";
  return sample;
}

Decisions run(std::size_t rows, int threads) {
  const Law law = sample_law().law();
  const Table table = many(rows);
  const Judgments e = every_second("e", table);
  return decide(law, table, {{"e", &e, {}, "abc"}, {"f", nullptr, "it failed", {}}}, {threads});
}

TEST(Decide, FillsEveryField) {
  const Decisions decisions = run(6, 1);
  EXPECT_EQ(decisions.questions, (std::vector<std::string>{"q"}));
  EXPECT_EQ(decisions.findings[0], (std::vector<std::string>{"X", "none"}));
  ASSERT_EQ(decisions.rules.size(), 4U);
  EXPECT_EQ(decisions.rules[3].id, "q.default");
  ASSERT_EQ(decisions.engines.size(), 2U);
  EXPECT_TRUE(decisions.engines[0].available);
  EXPECT_EQ(decisions.engines[0].judgments_sha256, "abc");
  EXPECT_FALSE(decisions.engines[1].available);
  EXPECT_EQ(decisions.engines[1].reason, "it failed");
  EXPECT_EQ(decisions.case_id, (std::vector<std::uint64_t>{10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(decisions.root.size(), 64U);
  EXPECT_EQ(decisions.inputs_sha256.size(), 64U);
  EXPECT_FALSE(decisions.law_text.empty());

  // Case 10: a = 0 and e says p: R2 carries X; R3 waits for f, which nobody called, so it is not firm.
  const Decision first = decisions.at(0, 0);
  EXPECT_EQ(first.status, Status::decide);
  EXPECT_EQ(first.finding, 0);
  EXPECT_EQ(decisions.rules[first.rule].id, "R2");
  EXPECT_EQ(decisions.consulted[0], 1U);
  EXPECT_EQ(decisions.rounds[0], 0);
  // Case 30: e says q, the link calls f, which failed.
  EXPECT_EQ(decisions.consulted[2], 3U);
  EXPECT_EQ(decisions.rounds[2], 1);
  // Case 40: a = 3, b = 0, and e has no entry: R2 is UNKNOWN for an engine that is not available.
  EXPECT_EQ(decisions.at(3, 0).status, Status::abstain);
  EXPECT_EQ(decisions.at(3, 0).reason, Reason::blocked);
  EXPECT_EQ(decisions.at(3, 0).finding, no_index);
}

TEST(Decide, ThreadsChangeNothing) {
  const Decisions one = run(1000, 1);
  for (const int threads : {2, 3, 7}) {
    const Decisions several = run(1000, threads);
    EXPECT_EQ(several.decisions, one.decisions);
    EXPECT_EQ(several.rounds, one.rounds);
    EXPECT_EQ(several.consulted, one.consulted);
    EXPECT_EQ(several.root, one.root);
  }
}

TEST(Decide, NoCasesAndOneCase) {
  const Decisions none = run(0, 4);
  EXPECT_EQ(none.cases(), 0U);
  EXPECT_EQ(none.root.size(), 64U);
  EXPECT_EQ(run(1, 4).decisions.size(), 1U);
}

std::string problem(const LawSample& sample, Judgments judgments, const std::string& name = "e") {
  const Law law = sample.law();
  const Table table = many(4);
  try {
    (void)decide(law, table, {{name, &judgments, {}, {}}});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect(const std::string& text, const std::string& wanted) { EXPECT_NE(text.find(wanted), std::string::npos) << text; }

TEST(Decide, JudgmentsThatDoNotFit) {
  const Table table = many(4);
  const Judgments good = every_second("e", table);
  EXPECT_EQ(problem(sample_law(), good), "accepted");
  expect(problem(sample_law(), good, "ee"), "the law does not know this engine");
  Judgments other = good;
  other.classes = {"none", "p", "r"};
  expect(problem(sample_law(), other), "the file has none, p, r; the law expects none, p, q");
  other = good;
  other.probability.clear();
  expect(problem(sample_law(), other), "leaves the probabilities out");
  other = good;
  std::swap(other.case_id[0], other.case_id[1]);
  expect(problem(sample_law(), other), "not ascending");
  other = good;
  other.label[0] = 3;
  expect(problem(sample_law(), other), "a label is no class");
  other = good;
  other.status.pop_back();
  expect(problem(sample_law(), other), "one entry a case");
  const Law law = sample_law().law();
  try {
    (void)decide(law, table, {{"e", &good, {}, {}}, {"e", &good, {}, {}}});
    FAIL();
  } catch (const InputError& error) {
    expect(error.what(), "given twice");
  }
}

TEST(Decide, ProbabilitiesMayBeLeftOutWhereNobodyReadsThem) {
  LawSample sample = sample_law();
  sample.rules[1] = "id: R2, when: 'e.label == \"p\"', then: q.X";
  Judgments judgments = every_second("e", many(4));
  judgments.probability.clear();
  EXPECT_EQ(problem(sample, judgments), "accepted");
}

TEST(Decide, TheOrderOfClassesInAFileMeansNothing) {
  const Law law = sample_law().law();
  const Table table = many(12);
  const Judgments e = every_second("e", table);
  Judgments other = e;
  other.classes = {"q", "none", "p"};
  for (std::size_t i = 0; i < e.size(); ++i) {
    other.label[i] = static_cast<std::uint16_t>((e.label[i] + 1) % 3);
    for (std::size_t k = 0; k < 3; ++k) other.probability[3 * i + (k + 1) % 3] = e.probability[3 * i + k];
  }
  EXPECT_EQ(decide(law, table, {{"e", &other, {}, {}}}).decisions, decide(law, table, {{"e", &e, {}, {}}}).decisions);
}

TEST(Decide, TablesThatDoNotFit) {
  const Law law = sample_law().law();
  Table table = many(4);
  std::get<std::vector<std::int64_t>>(table.columns[0].values)[2] = (std::int64_t{1} << 53) + 1;
  try {
    (void)decide(law, table, {});
    FAIL();
  } catch (const InputError& error) {
    expect(error.what(), "case 30: a is 9007199254740993");
  }
  table = many(4);
  table.schema.columns.erase(table.schema.columns.begin());
  table.columns.erase(table.columns.begin());
  EXPECT_THROW((void)decide(law, table, {}), InputError);
}

TEST(Decide, ATableOfAnotherSchemaIsRefused) {
  const Law law = sample_law().law();
  Table table = many(4);
  table.schema.columns[1].unit = "K";
  try {
    (void)decide(law, table, {});
    FAIL();
  } catch (const InputError& error) {
    expect(error.what(), "the column \"b\" is not the one that the law was checked against");
  }
}

TEST(Decide, WhatIsNoNumberIsInvalid) {
  LawSample sample;
  sample.rules = {"id: R1, when: 'TBG > 1', then: q.X", "id: R2, when: 'TBG <= 1', then: q.Y"};
  Table table = many(1);
  std::get<std::vector<double>>(table.columns[4].values)[0] = std::numeric_limits<double>::quiet_NaN();
  const Decisions decisions = decide(sample.law(), table, {});
  EXPECT_EQ(decisions.at(0, 0).status, Status::abstain);
  EXPECT_EQ(decisions.at(0, 0).reason, Reason::blocked);
  Judgments judgments = every_second("e", many(4));
  judgments.confidence[0] = std::numeric_limits<float>::quiet_NaN();
  expect(problem(sample_law(), judgments), "outside [0, 1]");
}

TEST(Decide, CappedDecisionsAreNotFirm) {
  LawSample sample;
  sample.engines = {"e", "f"};
  sample.home = {"e"};
  sample.rules = {"id: R1, when: 'a >= 0', then: q.X"};
  sample.route_rest = ", max_rounds: 0";
  sample.more = "links: [{id: K, from: e, to: f, when: 'true'}]";
  const Law law = sample.law();
  const Decisions decisions = decide(law, many(1), {});
  EXPECT_EQ(decisions.at(0, 0).status, Status::decide);
  EXPECT_EQ(decisions.at(0, 0).flags, flag::capped);
  sample.more = "";
  EXPECT_EQ(decide(sample.law(), many(1), {}).at(0, 0).flags, flag::firm);
}

TEST(Decide, CriticalAndEscalatedAreFlagged) {
  LawSample sample;
  sample.rules = {"id: R1, when: 'b > 5', then: q.X"};
  sample.more = "critical: {critical: 1, findings: [{finding: q.X}]}";
  const Decisions decisions = decide(sample.law(), many(1), {});  // b is missing
  EXPECT_EQ(decisions.at(0, 0).status, Status::escalate);
  EXPECT_EQ(decisions.at(0, 0).reason, Reason::critical_not_excluded);
  EXPECT_EQ(decisions.at(0, 0).flags, flag::critical | flag::escalated);
  EXPECT_EQ(decisions.at(0, 0).rule, 0);
}

}  // namespace
}  // namespace hiple::law
