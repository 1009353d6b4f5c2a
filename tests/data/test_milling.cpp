#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "base/hash.hpp"
#include "data/milling.hpp"
#include "data/milling_recipe.hpp"
#include "data/real_data.hpp"
#include "table/table.hpp"
#include "temporary_folder.hpp"

namespace hiple::data {
namespace {

class MillingTest : public testing::Test {
 protected:
  std::filesystem::path generate(std::uint64_t rows, std::uint64_t seed, TableFormat format = TableFormat::csv) {
    const auto path = folder_.path() / ("cases" + std::to_string(++files_));
    generate_milling(path, rows, seed, format);
    return path;
  }
  static double count(const Table& table, const std::string& column, double value = 1) {
    double found = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) found += table.column(column).number(row) == value ? 1 : 0;
    return found;
  }
  static Schema configured_schema() {
    return load_schema(std::filesystem::path(HIPLE_SOURCE_DIR) / "configs" / "milling" / "schema.yaml");
  }

  TemporaryFolder folder_;
  int files_ = 0;
};

constexpr std::pair<const char*, double> published[] = {
    {"heat_failure", 115}, {"power_failure", 95}, {"overstrain_failure", 98}, {"tool_wear_failure", 46}, {"random_failure", 19}};

TEST_F(MillingTest, TheStudysSchemaIsTheGenerators) {
  const Schema ours = milling_schema(), configured = configured_schema();
  ASSERT_EQ(ours.columns.size(), configured.columns.size());
  for (std::size_t i = 0; i < ours.columns.size(); ++i) {
    const ColumnSchema &a = ours.columns[i], &b = configured.columns[i];
    EXPECT_EQ(std::tie(a.name, a.type, a.role, a.unit, a.low, a.high, a.values),
              std::tie(b.name, b.type, b.role, b.unit, b.low, b.high, b.values));
  }
}

TEST_F(MillingTest, TenThousandRowsHoldThePublishedNumbersOfFailures) {
  constexpr int seeds = 12;
  std::vector<double> sum(std::size(published));
  double any = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::vector<MillingCycle> cycles = make_campaign({}, seed, 0, 10000);
    std::vector<double> found(std::size(published));
    for (const MillingCycle& cycle : cycles) {
      const bool failed[] = {cycle.heat, cycle.power, cycle.overstrain, cycle.tool_wear, cycle.random};
      for (std::size_t i = 0; i < found.size(); ++i) found[i] += failed[i] ? 1 : 0;
      any += cycle.heat || cycle.power || cycle.overstrain || cycle.tool_wear ? 1 : 0;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      // The published file is one draw and so is this: their difference has twice the variance; five deviations.
      EXPECT_NEAR(found[i], published[i].second, 5 * std::sqrt(2 * published[i].second))
          << published[i].first << ", seed " << seed;
      sum[i] += found[i];
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(sum[i] / seeds, published[i].second, 2 * std::sqrt(published[i].second)) << published[i].first;
  }
  EXPECT_NEAR(any / seeds, 339, 2 * std::sqrt(339.0));
}

TEST_F(MillingTest, EveryColumnFollowsTheRecipe) {
  const Table table = read_table(generate(20000, 3), configured_schema());
  ASSERT_EQ(table.rows(), 20000U);
  EXPECT_EQ(table.case_id.front(), 1U);
  EXPECT_EQ(table.case_id.back(), 20000U);
  EXPECT_TRUE(table.text_of_invalid.empty());
  const double rows = 20000;
  EXPECT_NEAR(count(table, "type", 0) / rows, 0.5, 0.02);
  EXPECT_NEAR(count(table, "type", 1) / rows, 0.3, 0.02);
  EXPECT_NEAR(count(table, "type", 2) / rows, 0.2, 0.02);
  const auto moments = [&](auto value) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      sum += value(row);
      squares += value(row) * value(row);
    }
    const double mean = sum / rows;
    return std::pair(mean, std::sqrt(squares / rows - mean * mean));
  };
  const auto number = [&](const char* column) {
    return [&table, column](std::size_t row) { return table.column(column).number(row); };
  };
  const auto [air, air_spread] = moments(number("air_temperature"));
  EXPECT_NEAR(air, 300, 0.1);
  EXPECT_NEAR(air_spread, 2, 0.1);
  const auto [rise, rise_spread] =
      moments([&](std::size_t row) { return number("process_temperature")(row) - number("air_temperature")(row); });
  EXPECT_NEAR(rise, 10, 0.05);
  EXPECT_NEAR(rise_spread, 1, 0.05);
  const auto [torque, torque_spread] = moments(number("torque"));
  EXPECT_NEAR(torque, 40, 0.5);
  EXPECT_NEAR(torque_spread, 10, 0.5);
  const auto [speed, speed_spread] = moments(number("rotational_speed"));
  EXPECT_NEAR(speed, 1538.8, 10) << "of the published file";
  EXPECT_NEAR(speed_spread, 179.3, 15);
}

TEST_F(MillingTest, FailuresFollowFromTheWrittenNumbers) {
  const Table table = read_table(generate(10000, 5), configured_schema());
  const auto number = [&](const char* column, std::size_t row) { return table.column(column).number(row); };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double watts = number("torque", row) * number("rotational_speed", row) * 2 * std::numbers::pi / 60;
    const double rise = number("process_temperature", row) - number("air_temperature", row);
    const double limit = 11000 + 1000 * number("type", row);
    EXPECT_EQ(number("heat_failure", row) == 1, rise < 8.6 && number("rotational_speed", row) < 1380);
    EXPECT_EQ(number("power_failure", row) == 1, watts < 3500 || watts > 9000);
    EXPECT_EQ(number("overstrain_failure", row) == 1, number("tool_wear", row) * number("torque", row) > limit);
    EXPECT_LE(number("tool_wear", row), 240);
    if (number("tool_wear_failure", row) == 1) {
      EXPECT_GE(number("tool_wear", row), 200);
      if (row + 1 < table.rows()) {
        EXPECT_EQ(number("tool_wear", row + 1), 0) << "a new tool";
      }
    }
  }
}

TEST_F(MillingTest, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(sha256_file(generate(3000, 7)), sha256_file(generate(3000, 7)));
  EXPECT_NE(sha256_file(generate(3000, 7)), sha256_file(generate(3000, 8)));
}

TEST_F(MillingTest, BothFormatsHoldTheSameTable) {
  const Table csv = read_table(generate(25001, 7), configured_schema());
  const Table h5 = read_table(generate(25001, 7, TableFormat::h5), configured_schema());
  EXPECT_EQ(csv.rows(), 25001U) << "three campaigns";
  EXPECT_EQ(csv.case_id, h5.case_id);
  for (std::size_t i = 0; i < csv.columns.size(); ++i) EXPECT_EQ(csv.columns[i].values, h5.columns[i].values);
}

TEST_F(MillingTest, AnyNumberOfRowsButNone) {
  EXPECT_EQ(read_table(generate(1, 7), configured_schema()).rows(), 1U);
  EXPECT_EQ(read_table(generate(15000, 7), configured_schema()).rows(), 15000U);
  EXPECT_THROW(generate(0, 7), InputError);
}

TEST_F(MillingTest, ConvertsThePublishedTable) {
  const auto source = real_data("ai4i2020/ai4i2020.csv");
  if (!source) GTEST_SKIP() << no_real_data;
  const auto path = folder_.path() / "published.csv";
  convert_milling(*source, path, TableFormat::csv);
  const Table table = read_table(path, configured_schema());
  ASSERT_EQ(table.rows(), 10000U);
  EXPECT_TRUE(table.text_of_invalid.empty());
  for (const auto& [column, failures] : published) EXPECT_EQ(count(table, column), failures) << column;
  EXPECT_EQ(count(table, "type", 0), 6000);
  EXPECT_EQ(table.column("air_temperature").number(0), 298.1);
  EXPECT_EQ(table.column("rotational_speed").number(0), 1551);
  EXPECT_EQ(table.column("torque").number(0), 42.8);
  std::size_t differing = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto number = [&](const char* column) { return table.column(column).number(row); };
    MillingCycle cycle;
    cycle.type = static_cast<MillingCycle::Type>(static_cast<int>(number("type")));
    cycle.air = number("air_temperature");
    cycle.process = number("process_temperature");
    cycle.speed = number("rotational_speed");
    cycle.torque = number("torque");
    cycle.wear = number("tool_wear");
    set_physical_failures(cycle);
    const bool same = cycle.heat == (number("heat_failure") == 1) && cycle.power == (number("power_failure") == 1) &&
                      cycle.overstrain == (number("overstrain_failure") == 1);
    differing += same ? 0U : 1U;
  }
  EXPECT_EQ(differing, 0U) << "the physical failures are an exact oracle";
}

TEST_F(MillingTest, RefusesAnotherTable) {
  const auto other = generate(10, 1);
  EXPECT_THROW(convert_milling(other, folder_.path() / "out.csv", TableFormat::csv), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.csv"));
}

}  // namespace
}  // namespace hiple::data
