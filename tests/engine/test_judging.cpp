#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/judging.hpp"
#include "judgment/add_judgments.hpp"
#include "judgment/judgment.hpp"
#include "synthetic.hpp"
#include "temporary_folder.hpp"

namespace hiple::engine {
namespace {

class Judging : public testing::Test {
 protected:
  static Engine trained(const std::string& target = "state", double abstain_below = 0.01) {
    EngineConfig config = config_of(target);
    config.train.epochs = 10;
    config.abstain_below = abstain_below;
    return train(table_of(1500), config);
  }
};

TEST_F(Judging, AnInvalidInputIsSaidToBeOne) {
  Table table = table_of(50);
  column_of(table, "x").cells[3] = Cell::invalid;
  const Judgments judgments = trained().judge(table);
  EXPECT_EQ(judgments.status[3], JudgmentStatus::invalid);
  EXPECT_EQ(judgments.label[3], no_label);
  EXPECT_TRUE(std::isnan(judgments.confidence[3]));
  EXPECT_TRUE(std::isnan(judgments.probability[9]));
  EXPECT_TRUE(std::isnan(judgments.typicality[3]));
  EXPECT_EQ(judgments.status[4], JudgmentStatus::judged);
  EXPECT_EQ(judgments.status[9], JudgmentStatus::judged);  // x is missing there
}

TEST_F(Judging, ACategoryNeverSeenIsInvalid) {
  Table table = table_of(50);
  table.schema.columns[2].values = {"red", "purple", "blue"};
  const Judgments judgments = trained().judge(table);
  const auto& colours = std::get<std::vector<std::int32_t>>(table.column("colour").values);
  for (std::size_t row = 0; row < 50; ++row) EXPECT_EQ(judgments.status[row] == JudgmentStatus::invalid, colours[row] == 1);
}

TEST_F(Judging, CategoriesMayBeListedInAnotherOrder) {
  Table table = table_of(50);
  const Engine engine = trained();
  const std::string before = bytes_of(engine.judge(table));
  table.schema.columns[2].values = {"blue", "green", "red"};
  for (auto& code : std::get<std::vector<std::int32_t>>(column_of(table, "colour").values)) code = 2 - code;
  EXPECT_EQ(bytes_of(engine.judge(table)), before);
}

TEST_F(Judging, LabelsAreNotRead) {
  Table table = table_of(50);
  const Engine engine = trained();
  const std::string before = bytes_of(engine.judge(table));
  table.schema.columns.resize(3);
  table.columns.resize(3);
  EXPECT_EQ(bytes_of(engine.judge(table)), before);
}

TEST_F(Judging, AStrangeCaseIsAbstainedFromWithItsTypicality) {
  Table table = table_of(50);
  std::get<std::vector<double>>(column_of(table, "y").values)[7] = 1e300;
  const Judgments judgments = trained().judge(table);
  EXPECT_EQ(judgments.status[7], JudgmentStatus::abstained);
  EXPECT_EQ(judgments.label[7], no_label);
  EXPECT_LT(judgments.typicality[7], 0.01F);
  EXPECT_GT(judgments.typicality[7], 0.0F);
  EXPECT_TRUE(std::isnan(judgments.confidence[7]));
}

TEST_F(Judging, OverOneItAlwaysAbstainsAndAtZeroNever) {
  const Table table = table_of(50);
  const Judgments never_judged = trained("state", 1.5).judge(table);
  EXPECT_THAT(never_judged.status, testing::Each(JudgmentStatus::abstained));
  const Judgments always_judged = trained("state", 0).judge(table);
  EXPECT_THAT(always_judged.status, testing::Each(JudgmentStatus::judged));
}

TEST_F(Judging, ProbabilitiesSumToOneAndTheLabelIsTheLargest) {
  const Judgments judgments = trained("state", 0).judge(table_of(50));
  for (std::size_t row = 0; row < 50; ++row) {
    const auto* p = &judgments.probability[3 * row];
    EXPECT_NEAR(p[0] + p[1] + p[2], 1.0F, 1e-6F);
    EXPECT_EQ(judgments.confidence[row], p[judgments.label[row]]);
    EXPECT_EQ(judgments.confidence[row], *std::max_element(p, p + 3));
  }
}

TEST_F(Judging, ProbabilitiesCanBeLeftOut) {
  EngineConfig config = config_of();
  config.train.epochs = 3;
  config.probabilities = "none";
  const Table table = table_of(600);
  const Engine engine = train(table, config);
  const Judgments judgments = engine.judge(table);
  EXPECT_TRUE(judgments.probability.empty());
  const HeldOut figures = engine.held_out(table, parts_of(table, config).test, judgments);
  EXPECT_TRUE(std::isnan(figures.log_loss));
  EXPECT_GT(figures.accuracy, 0.5);
}

TEST_F(Judging, JudgmentsOfEveryKindCanBeStored) {
  const TemporaryFolder folder;
  Table table = table_of(50);
  column_of(table, "x").cells[3] = Cell::invalid;
  std::get<std::vector<double>>(column_of(table, "y").values)[7] = 1e300;
  for (const char* target : {"state", "wet", "sum"}) {
    const Judgments judgments = trained(target).judge(table);
    write_judgments(folder.path() / "j.h5", judgments);
    EXPECT_EQ(bytes_of(read_judgments(folder.path() / "j.h5")), bytes_of(judgments)) << target;
  }
}

TEST_F(Judging, RowsThatAreAskedAboutAreJudgedAsAllAre) {
  Table table = table_of(2500);
  column_of(table, "x").cells[8] = Cell::invalid;
  const Engine engine = trained();
  const Judgments all = engine.judge(table);
  std::vector<std::uint32_t> some, others;
  for (std::uint32_t row = 0; row < 2500; ++row) (row % 7 == 1 ? some : others).push_back(row);
  Judgments asked = engine.judge(table, some);
  EXPECT_EQ(asked.status[0], JudgmentStatus::not_asked);
  EXPECT_EQ(asked.label[0], no_label);
  EXPECT_TRUE(std::isnan(asked.confidence[0]) && std::isnan(asked.probability[0]) && std::isnan(asked.typicality[0]));
  EXPECT_EQ(asked.status[8], JudgmentStatus::invalid);
  EXPECT_EQ(asked.confidence[15], all.confidence[15]);
  add_judgments(asked, engine.judge(table, others));
  EXPECT_EQ(bytes_of(asked), bytes_of(all));
  EXPECT_THAT(engine.judge(table, std::vector<std::uint32_t>{}).status, testing::Each(JudgmentStatus::not_asked));
}

TEST_F(Judging, AnEmptyTableGivesNoJudgments) {
  EXPECT_EQ(trained().judge(table_of(0)).size(), 0U);
  EXPECT_EQ(trained().judge(table_of(1)).size(), 1U);
}

TEST_F(Judging, AMissingFeatureColumnIsAnError) {
  Table table = table_of(5);
  table.schema.columns[0].name = "X";
  EXPECT_THROW((void)trained().judge(table), InputError);
}

}  // namespace
}  // namespace hiple::engine
