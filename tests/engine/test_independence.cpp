#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

EngineConfig quick(const std::string& target) {
  EngineConfig config = config_of(target);
  config.train.epochs = 5;
  config.model.dropout = 0.1;
  return config;
}

TEST(Independence, NoEngineSeesTheOthers) {
  const Table table = table_of(400);
  const std::string state = bytes_of(train(table, quick("state")).judge(table));
  const std::string wet = bytes_of(train(table, quick("wet")).judge(table));
  EXPECT_EQ(bytes_of(train(table, quick("wet")).judge(table)), wet);
  EXPECT_EQ(bytes_of(train(table, quick("state")).judge(table)), state);
}

TEST(Independence, ColumnsOfOthersChangeNothing) {
  Table table = table_of(400);
  const std::string alone = bytes_of(train(table, quick("state")).judge(table));
  add_column(table, column("z", ColumnType::real), std::vector<double>(400, 3.0));
  for (double& number : std::get<std::vector<double>>(column_of(table, "sum").values)) number = -number;
  EXPECT_EQ(bytes_of(train(table, quick("state")).judge(table)), alone);
}

TEST(Independence, TestRowsChangeNothing) {
  Table table = table_of(400);
  const Engine before = train(table, quick("state"));
  const Table untouched = table;
  for (std::size_t row = 2; row < 400; row += 3) {
    std::get<std::vector<double>>(column_of(table, "y").values)[row] = 1e6;
    std::get<std::vector<std::int32_t>>(column_of(table, "state").values)[row] = 0;
  }
  EXPECT_EQ(bytes_of(train(table, quick("state")).judge(untouched)), bytes_of(before.judge(untouched)));
}

TEST(Independence, SeedAndNameMatter) {
  const Table table = table_of(400);
  EngineConfig config = quick("state");
  const std::string before = bytes_of(train(table, config).judge(table));
  EXPECT_NE(bytes_of(Engine::train(table, config, parts_of(table, config), 8, {}).judge(table)), before);
  config.name = "another";
  EXPECT_NE(bytes_of(train(table, config).judge(table)), before);
}

TEST(Independence, TheSameThreadsGiveTheSameBits) {
  const Table table = table_of(400);
  TrainOptions options;
  options.threads = 2;
  const std::string once = bytes_of(train(table, quick("state"), options).judge(table));
  EXPECT_EQ(bytes_of(train(table, quick("state"), options).judge(table)), once);
}

TEST(Independence, ARowIsJudgedTheSameAloneAndAmongOthers) {
  const Table table = table_of(2500);
  const Engine engine = train(table, quick("state"));
  const Judgments all = engine.judge(table);
  for (const std::size_t row : {std::size_t{0}, std::size_t{9}, std::size_t{1023}, std::size_t{1024}, std::size_t{2499}}) {
    Table one = empty_table(1);
    const auto pick = [&](const std::string& name) {
      const Column& source = table.column(name);
      std::visit(
          [&](const auto& values) {
            add_column(one, table.schema.columns[*table.schema.find(name)], std::decay_t<decltype(values)>{values[row]},
                       {source.cells[row]});
          },
          source.values);
    };
    for (const char* name : {"colour", "y", "x"}) pick(name);
    const Judgments alone = engine.judge(one);
    EXPECT_EQ(alone.label[0], all.label[row]);
    EXPECT_EQ(alone.confidence[0], all.confidence[row]);
    EXPECT_EQ(alone.typicality[0], all.typicality[row]);
  }
}

}  // namespace
}  // namespace hiple::engine
