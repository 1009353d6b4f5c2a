#include <gtest/gtest.h>

#include "run/estimate.hpp"
#include "table/series.hpp"

namespace hiple {
namespace {

ColumnSchema column(const std::string& name, ColumnType type, ColumnRole role, const std::vector<std::string>& values = {}) {
  ColumnSchema column;
  column.name = name;
  column.type = type;
  column.role = role;
  column.values = values;
  return column;
}

Schema schema() {
  Schema schema;
  schema.columns = {column("a", ColumnType::real, ColumnRole::input),
                    column("kind", ColumnType::category, ColumnRole::input, {"red", "green", "blue"}),
                    column("label", ColumnType::category, ColumnRole::label, {"no", "yes"}),
                    column("number", ColumnType::real, ColumnRole::label)};
  return schema;
}

EngineConfig engine() {
  EngineConfig engine;
  engine.name = "e";
  engine.target = "label";
  engine.features = {"a", "kind"};
  engine.model.hidden = {8};
  return engine;
}

TEST(Estimate, CountsWeightsAndBiases) {
  // kind: 3 values and missing, each a row of min(16, (3 + 1) / 2) = 2; then 2 + 2 inputs to 8, and 8 to 2 classes.
  const std::uint64_t expected = 4 * 2 + (4 * 8 + 8) + (8 * 2 + 2);
  EXPECT_EQ(estimate(engine(), schema()).parameters, expected);
  EXPECT_EQ(estimate(engine(), schema()).memory, 16 * expected);
}

TEST(Estimate, ARegressionHasOneOutput) {
  EngineConfig regression = engine();
  regression.target = "number";
  EXPECT_EQ(estimate(regression, schema()).parameters, 4U * 2 + (4 * 8 + 8) + (8 * 1 + 1));
}

TEST(Estimate, AConvolutionIsUsedAtEachOfItsPlaces) {
  Schema with_series = schema();
  for (const ColumnSchema& point : points_of_series(column("s", ColumnType::real, ColumnRole::input), 10))
    with_series.columns.push_back(point);
  EngineConfig convolutional = engine();
  convolutional.type = "conv1d";
  convolutional.features = {"s", "kind"};
  convolutional.model.convolutions = {{4, 3, 2, {}}};  // 4 places
  // 3 points of 2 numbers to 4; 4 means and the embedding of 2 to 8.
  const std::uint64_t convolution = 4 * 6 + 4, rest = 4 * 2 + (6 * 8 + 8) + (8 * 2 + 2);
  EXPECT_EQ(estimate(convolutional, with_series).parameters, convolution + rest);
  EXPECT_EQ(estimate(convolutional, with_series).products, 4 * convolution + rest);
  convolutional.type = "mlp";
  convolutional.model.convolutions.clear();
  EXPECT_EQ(estimate(convolutional, with_series).parameters, 4U * 2 + (22 * 8 + 8) + (8 * 2 + 2));
}

TEST(Estimate, CostsFollowEpochs) {
  RunConfig config;
  config.engines = {engine(), engine()};
  config.engines[1].train.epochs = 3 * config.engines[0].train.epochs;
  const auto costs = engine_costs(config, schema());
  EXPECT_DOUBLE_EQ(costs[1].cost, 3 * costs[0].cost);
}

TEST(RanksOf, GivesEveryEngineItsRank) {
  const Plan plan{3, 2, {{1}, {0, 2}, {}}};
  EXPECT_EQ(ranks_of(plan, 3), (std::vector<int>{1, 0, 1}));
}

}  // namespace
}  // namespace hiple
