#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "synthetic.hpp"
#include "temporary_folder.hpp"

namespace hiple::engine {
namespace {

TEST(Engine, LearnsClassesAndJudgesEveryRow) {
  const Table table = table_of(1500);
  const EngineConfig config = config_of();
  const Parts parts = parts_of(table, config);
  const Engine engine = train(table, config);
  const Judgments judgments = engine.judge(table);
  EXPECT_EQ(judgments.size(), 1500U);
  EXPECT_EQ(judgments.classes, (std::vector<std::string>{"low", "high", "odd"}));
  EXPECT_EQ(judgments.probability.size(), 4500U);
  const HeldOut figures = engine.held_out(table, parts.test, judgments);
  EXPECT_EQ(figures.rows, 500U);
  EXPECT_GT(figures.accuracy, 0.95);
  EXPECT_GT(figures.balanced_accuracy, 0.95);
  EXPECT_LT(figures.log_loss, 0.15);
  EXPECT_LT(figures.calibration_error, 0.04);
  EXPECT_TRUE(std::isnan(figures.rmse));
  EXPECT_LT(figures.abstained, 15U);
}

TEST(Engine, LearnsABooleanAndANumber) {
  const Table table = table_of(1500);
  const EngineConfig wet = config_of("wet");
  const Engine classes = train(table, wet);
  EXPECT_EQ(classes.judge(table).classes, (std::vector<std::string>{"false", "true"}));
  EXPECT_GT(classes.held_out(table, parts_of(table, wet).test, classes.judge(table)).accuracy, 0.97);

  const EngineConfig sum = config_of("sum");
  const Engine numbers = train(table, sum);
  const Judgments judgments = numbers.judge(table);
  EXPECT_TRUE(judgments.classes.empty());
  EXPECT_TRUE(judgments.probability.empty());
  EXPECT_EQ(judgments.label.front(), no_label);
  EXPECT_LT(numbers.held_out(table, parts_of(table, sum).test, judgments).rmse, 0.15);
}

TEST(Engine, ShowsThatItMovesWhereItMakesNoSteps) {
  const Table table = table_of(5000);
  EngineConfig config = config_of();
  config.train.epochs = 2;
  const Parts parts = parts_of(table, config);
  const auto batches = [](const std::vector<std::uint32_t>& rows) { return (rows.size() + 1023) / 1024; };
  std::size_t beats = 0;
  TrainOptions options;
  options.beat = [&] { ++beats; };
  const Engine engine = Engine::train(table, config, parts, 7, options);
  // The early-stop loss after each epoch, two passes for calibration, and once before the typicality.
  EXPECT_EQ(beats, 2 * batches(parts.early_stop) + batches(parts.training) + batches(parts.calibration) + 1);
  beats = 0;
  [[maybe_unused]] const Judgments judged = engine.judge(table, [&] { ++beats; });
  EXPECT_EQ(beats, 5U);
}

TEST(Engine, AConvolutionFindsWhatMayBeAnywhere) {
  const Table table = series_table(900);
  const auto accuracy = [&table](const EngineConfig& config) {
    const Engine engine = train(table, config);
    return engine.held_out(table, parts_of(table, config).test, engine.judge(table)).accuracy;
  };
  EXPECT_GT(accuracy(series_config()), 0.97);
  EngineConfig perceptron = series_config();
  perceptron.type = "mlp";
  perceptron.model.convolutions.clear();
  EXPECT_LT(accuracy(perceptron), 0.9);
}

}  // namespace
}  // namespace hiple::engine
