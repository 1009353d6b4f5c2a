#include <gtest/gtest.h>

#include "base/error.hpp"
#include "law/decision_stream.hpp"
#include "law_sample.hpp"
#include "temporary_folder.hpp"

namespace hiple::law {
namespace {

/// Cases [first, first + rows) of a table without end: a counts 0 to 6, b is missing in every fifth.
Table portion(std::size_t first, std::size_t rows) {
  Table table;
  table.schema = LawSample::schema();
  for (std::size_t row = first; row < first + rows; ++row) table.case_id.push_back(2 * row);
  for (std::size_t column = 0; column < 5; ++column) {
    Column cells;
    std::vector<std::int64_t> whole;
    for (std::size_t row = first; row < first + rows; ++row) {
      whole.push_back(static_cast<std::int64_t>((row + column) % 7));
      cells.cells.push_back(column == 1 && row % 5 == 0 ? Cell::missing : Cell::known);
    }
    if (column < 4)
      cells.values = whole;
    else
      cells.values = std::vector<double>(whole.begin(), whole.end());
    table.columns.push_back(cells);
  }
  return table;
}

Judgments words(const Table& table) {
  Judgments judgments;
  judgments.engine = "e";
  judgments.classes = {"none", "p", "q"};
  for (const std::uint64_t id : table.case_id) {
    if (id % 6 == 0) continue;
    judgments.case_id.push_back(id);
    judgments.label.push_back(static_cast<std::uint16_t>(id % 3));
    judgments.confidence.push_back(0.75F);
    judgments.typicality.push_back(0.5F);
    judgments.status.push_back(JudgmentStatus::judged);
  }
  return judgments;
}

class Stream : public ::testing::Test {
 protected:
  Stream() : law_(sample()) {}
  static Law sample() {
    LawSample sample;
    sample.engines = {"e", "f"};
    sample.with_default().rules = {"id: R1, when: 'a > 2 and b > 0', then: q.X",
                                   "id: R2, when: 'e.label == \"p\" or f.judged', then: q.X"};
    return sample.law();
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "decisions.h5"; }
  void append(DecisionStream& stream, std::size_t first, std::size_t rows) const {
    const Table table = portion(first, rows);
    const Judgments e = words(table);
    stream.append(table, {{"e", &e, {}, "abc"}, {"f", nullptr, "it failed", {}}});
  }
  [[nodiscard]] std::vector<EngineJudgments> engines() const {
    return {{"e", &none_, {}, "abc"}, {"f", nullptr, "it failed", {}}};
  }

  Law law_;
  Judgments none_;
  DecideOptions options_ = {.threads = 2};
  TemporaryFolder folder_;
};

TEST_F(Stream, WritesWhatDecidingAllAtOnceWould) {
  const std::size_t rows = 5 * 4096 + 100;
  const Table table = portion(0, rows);
  const Judgments e = words(table);
  const Decisions whole = decide(law_, table, {{"e", &e, {}, "abc"}, {"f", nullptr, "it failed", {}}}, options_);
  DecisionStream stream(law_, path(), engines(), options_);
  append(stream, 0, 4096);
  append(stream, 4096, 3 * 4096);
  append(stream, 0, 0);
  append(stream, 4 * 4096, 4096 + 100);
  EXPECT_EQ(stream.finish(), whole.root);
  const Decisions read = read_decisions(path());
  EXPECT_EQ(read.root, whole.root);
  EXPECT_EQ(read.decisions, whole.decisions);
  EXPECT_EQ(read.consulted, whole.consulted);
  EXPECT_EQ(read.case_id, whole.case_id);
  EXPECT_EQ(read.law_text, whole.law_text);
  EXPECT_EQ(read.inputs_sha256, whole.inputs_sha256);
  EXPECT_EQ(read.inputs_sha256.size(), 64U);
  ASSERT_EQ(read.engines.size(), 2U);
  EXPECT_EQ(read.engines[0].judgments_sha256, "abc");
  EXPECT_EQ(read.engines[1].reason, "it failed");
}

TEST_F(Stream, OfNoCase) {
  DecisionStream stream(law_, path(), engines(), options_);
  (void)stream.finish();
  EXPECT_EQ(read_decisions(path()).cases(), 0U);
}

TEST_F(Stream, RefusesWhatTheRootCouldNotHold) {
  DecisionStream broken(law_, path(), engines(), options_);
  append(broken, 0, 100);
  EXPECT_THROW(append(broken, 100, 4096), Error);
  DecisionStream backwards(law_, path(), engines(), options_);
  append(backwards, 4096, 4096);
  EXPECT_THROW(append(backwards, 0, 4096), Error);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace hiple::law
