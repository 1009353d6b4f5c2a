#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::HasSubstr;

/// The message of the error that training ends with.
std::string failure(const Table& table, const EngineConfig& config) {
  try {
    (void)train(table, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_clean(const Table& table, const EngineConfig& config) {
  const Judgments judgments = train(table, config).judge(table);
  ASSERT_EQ(judgments.size(), table.rows());
  for (std::size_t row = 0; row < judgments.size(); ++row) {
    const JudgmentStatus status = judgments.status[row];
    EXPECT_TRUE(status == JudgmentStatus::invalid || judgments.typicality[row] > 0.0F);
    EXPECT_TRUE(status != JudgmentStatus::judged || judgments.confidence[row] > 0.3F);
  }
}

EngineConfig quick() {
  EngineConfig config = config_of();
  config.train.epochs = 3;
  return config;
}

TEST(OddInput, NoRowsOneRowThreeRows) {
  for (const std::size_t rows : {0U, 1U, 3U}) EXPECT_THAT(failure(table_of(rows), quick()), HasSubstr("needs one row at least"));
}

TEST(OddInput, TheFewestRowsThatCanBeDividedTrain) {
  Table table = table_of(12);
  auto& states = std::get<std::vector<std::int32_t>>(column_of(table, "state").values);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = static_cast<std::int32_t>(i % 2);
  std::get<std::vector<std::int32_t>>(column_of(table, "colour").values).assign(12, 0);
  expect_clean(table, quick());
}

TEST(OddInput, AConstantFeature) {
  Table table = table_of(200);
  std::get<std::vector<double>>(column_of(table, "y").values).assign(200, 0.1);
  expect_clean(table, quick());
}

TEST(OddInput, AFeatureThatIsAlwaysMissing) {
  Table table = table_of(200);
  column_of(table, "y").cells.assign(200, Cell::missing);
  column_of(table, "colour").cells.assign(200, Cell::missing);
  expect_clean(table, quick());
}

TEST(OddInput, AFeatureThatIsAlwaysInvalid) {
  Table table = table_of(200);
  column_of(table, "y").cells.assign(200, Cell::invalid);
  EXPECT_THAT(failure(table, quick()), HasSubstr("no training row is left of"));
}

TEST(OddInput, ATargetOfOneClass) {
  Table table = table_of(200);
  std::get<std::vector<std::int32_t>>(column_of(table, "state").values).assign(200, 1);
  EXPECT_THAT(failure(table, quick()), HasSubstr("have state = high"));
}

TEST(OddInput, AClassWithoutRows) {
  Table table = table_of(400);
  table.schema.columns[3].values.insert(table.schema.columns[3].values.begin(), "never");
  for (auto& state : std::get<std::vector<std::int32_t>>(column_of(table, "state").values)) ++state;
  for (const char* rule : {"none", "balanced"}) {
    EngineConfig config = config_of();
    config.train.class_weight = rule;
    const Engine engine = train(table, config);
    const Judgments judgments = engine.judge(table);
    EXPECT_EQ(std::ranges::count(judgments.label, 0), 0);
    EXPECT_GT(engine.held_out(table, parts_of(table, config).test, judgments).accuracy, 0.9);
  }
}

TEST(OddInput, MoreColumnsThanRows) {
  Table table = table_of(50);
  EngineConfig config = quick();
  PhiloxStream random(Philox(1, "wide"), 0, 0, 0);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> values(50);
    for (double& value : values) value = random.next_normal();
    add_column(table, column("w" + std::to_string(i), ColumnType::real), values);
    config.features.push_back("w" + std::to_string(i));
  }
  expect_clean(table, config);
}

TEST(OddInput, HugeAndInfiniteNumbers) {
  Table table = table_of(200);
  auto& y = std::get<std::vector<double>>(column_of(table, "y").values);
  y[0] = 1e300;
  y[1] = -1.7e308;
  y[3] = std::numeric_limits<double>::infinity();
  expect_clean(table, quick());
  EXPECT_EQ(train(table, quick()).judge(table).status[3], JudgmentStatus::invalid);
}

TEST(OddInput, ABatchLargerThanTheData) {
  EngineConfig config = quick();
  config.train.batch = 100000;
  const Table table = table_of(100);
  expect_clean(table, config);
  EXPECT_EQ(train(table, config).progress().step, 3U);
}

TEST(OddInput, FeaturesOfCategoriesOnly) {
  EngineConfig config = quick();
  config.features = {"colour"};
  expect_clean(table_of(200), config);
}

TEST(OddInput, NoHiddenLayer) {
  EngineConfig config = quick();
  config.model.hidden = {};
  expect_clean(table_of(200), config);
}

TEST(OddInput, ARegressionOfOneNumber) {
  Table table = table_of(200);
  std::get<std::vector<double>>(column_of(table, "sum").values).assign(200, 0.1);
  EngineConfig config = config_of("sum");
  EXPECT_THAT(failure(table, config), HasSubstr("nothing to learn"));
  double count = 0;
  for (double& number : std::get<std::vector<double>>(column_of(table, "sum").values)) number = ++count * 1e300;
  EXPECT_THAT(failure(table, config), HasSubstr("more than a judgment can hold"));
}

TEST(OddInput, WhatCannotBeLearnedIsToldAtItsPlace) {
  Table table = table_of(200);
  EngineConfig config = config_of("sum");
  config.place = {"run.yaml", 4, 5};
  config.target_place = {"run.yaml", 5, 13};
  std::get<std::vector<double>>(column_of(table, "sum").values).assign(200, 0.1);
  EXPECT_THAT(failure(table, config), HasSubstr("run.yaml:5:13: engine"));
  config = quick();
  config.target_place = {"run.yaml", 7, 13};
  for (auto& value : std::get<std::vector<std::int32_t>>(column_of(table, config.target).values)) value = 1;
  EXPECT_THAT(failure(table, config), testing::AllOf(HasSubstr("run.yaml:7:13: engine"), HasSubstr("takes two classes")));
}

TEST(OddInput, ALossThatIsNotFiniteNamesEpochAndStep) {
  EngineConfig config = quick();
  config.train.learning_rate = 1e30;
  EXPECT_THAT(failure(table_of(200), config), HasSubstr("in epoch 1, step 2: lower lr"));
}

TEST(OddInput, WhatIsNotBuiltIsRefused) {
  EngineConfig config = quick();
  config.precision = "bf16";
  config.device = "cuda";
  EXPECT_THAT(failure(table_of(200), config), testing::AllOf(HasSubstr("bf16"), HasSubstr("cuda")));
}

TEST(OddInput, ACategoryThatNoTrainingRowHasLeavesTheRowOut) {
  Table table = table_of(200);
  const Parts parts = parts_of(table, quick());
  table.schema.columns[2].values.push_back("grey");
  std::get<std::vector<std::int32_t>>(column_of(table, "colour").values)[parts.early_stop[0]] = 3;
  const Engine engine = Engine::train(table, quick(), parts, 7, {});
  EXPECT_EQ(engine.judge(table).status[parts.early_stop[0]], JudgmentStatus::invalid);
  for (const std::uint32_t row : parts.early_stop)
    std::get<std::vector<std::int32_t>>(column_of(table, "colour").values)[row] = 3;
  EXPECT_THROW((void)Engine::train(table, quick(), parts, 7, {}), Error);
}

}  // namespace
}  // namespace hiple::engine
