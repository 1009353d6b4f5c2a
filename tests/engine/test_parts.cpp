#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "engine/target.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::HasSubstr;

std::map<std::uint32_t, std::size_t> counts(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::map<std::uint32_t, std::size_t> result;
  for (const std::uint32_t value : target_classes(table, make_target(table, "state"), rows)) ++result[value];
  return result;
}

TEST(Parts, AreDisjointAndCoverTheRows) {
  const Table table = table_of(900);
  const Parts parts = parts_of(table, config_of());
  std::set<std::uint32_t> all;
  for (const auto* part : {&parts.training, &parts.early_stop, &parts.calibration, &parts.test}) {
    EXPECT_TRUE(std::ranges::is_sorted(*part));
    all.insert(part->begin(), part->end());
  }
  EXPECT_EQ(all.size(), 900U);
  EXPECT_EQ(parts.test.size(), 300U);
  EXPECT_EQ(parts.training.size(), 390U);
  EXPECT_EQ(parts.early_stop.size(), 90U);
  EXPECT_EQ(parts.calibration.size(), 120U);
}

TEST(Parts, KeepTheClassesProportions) {
  const Table table = table_of(900);
  const Parts parts = parts_of(table, config_of());
  std::vector<std::uint32_t> own = parts.training;
  own.insert(own.end(), parts.early_stop.begin(), parts.early_stop.end());
  own.insert(own.end(), parts.calibration.begin(), parts.calibration.end());
  const auto all = counts(table, own), training = counts(table, parts.training), calibration = counts(table, parts.calibration);
  for (const auto& [value, count] : all) {
    EXPECT_NEAR(static_cast<double>(training.at(value)), 0.65 * static_cast<double>(count), 1.5);
    EXPECT_NEAR(static_cast<double>(calibration.at(value)), 0.2 * static_cast<double>(count), 1.5);
  }
}

TEST(Parts, DependOnSeedAndNameAlone) {
  const Table table = table_of(300);
  EngineConfig config = config_of();
  const Parts parts = parts_of(table, config);
  EXPECT_EQ(parts_of(table, config).training, parts.training);
  EXPECT_NE(parts_of(table, config, 8).training, parts.training);
  config.name = "another";
  EXPECT_NE(parts_of(table, config).training, parts.training);
}

TEST(Parts, DoNotDependOnRowsOfOthers) {
  Table table = table_of(300);
  const Divided divided = divide_rows(300);
  std::vector<std::uint32_t> own(150);
  std::iota(own.begin(), own.end(), 150U);
  const Parts among = make_parts(table, config_of(), own, divided.division, SplitConfig(), 7);

  Table alone = empty_table(150);
  const auto& states = std::get<std::vector<std::int32_t>>(column_of(table, "state").values);
  add_column(alone, table.schema.columns[3], std::vector<std::int32_t>(states.begin() + 150, states.end()));
  const Divided there = divide_rows(150);
  const Parts apart = make_parts(alone, config_of(), there.rows, there.division, SplitConfig(), 7);
  ASSERT_EQ(apart.training.size(), among.training.size());
  for (std::size_t i = 0; i < apart.training.size(); ++i) EXPECT_EQ(apart.training[i] + 150, among.training[i]);
}

TEST(Parts, AClassWithOneRowIsTrainedOn) {
  Table table = table_of(90);
  auto& states = std::get<std::vector<std::int32_t>>(column_of(table, "state").values);
  for (auto& state : states) state = std::min(state, 1);
  states[30] = 2;
  EXPECT_EQ(counts(table, parts_of(table, config_of()).training)[2], 1U);
}

TEST(Parts, GroupsStayTogether) {
  Table table = table_of(300);
  std::vector<std::int64_t> group(300);
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = static_cast<std::int64_t>(i / 10);
  add_column(table, column("group", ColumnType::integer), group);
  SplitConfig split;
  split.group = "group";
  const Divided divided = divide_rows(300);
  const Parts parts = make_parts(table, config_of(), divided.rows, divided.division, split, 7);
  std::map<std::int64_t, std::set<int>> part_of;
  for (const std::uint32_t row : parts.training) part_of[group[row]].insert(0);
  for (const std::uint32_t row : parts.early_stop) part_of[group[row]].insert(1);
  for (const std::uint32_t row : parts.calibration) part_of[group[row]].insert(2);
  EXPECT_EQ(part_of.size(), 30U);
  for (const auto& [ignored, where] : part_of) EXPECT_EQ(where.size(), 1U);
}

TEST(Parts, LeaveOutRowsWithoutATarget) {
  Table table = table_of(90);
  column_of(table, "state").cells[0] = Cell::missing;
  column_of(table, "state").cells[2] = Cell::invalid;  // a test row: it is judged all the same
  const Parts parts = parts_of(table, config_of());
  EXPECT_EQ(parts.training.size() + parts.early_stop.size() + parts.calibration.size(), 59U);
  EXPECT_EQ(parts.test.size(), 30U);
}

TEST(Parts, TooFewRowsAreAnErrorWithTheCounts) {
  for (const std::size_t rows : {0U, 1U, 3U}) {
    const Table table = table_of(rows);
    try {
      (void)make_parts(table, config_of(), divide_rows(rows).rows, std::vector<Part>(rows, Part::train), SplitConfig(), 7);
      FAIL() << "no error for " << rows;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::to_string(rows) + " rows"));
      EXPECT_THAT(error.what(), HasSubstr("0 early-stop"));
    }
  }
}

}  // namespace
}  // namespace hiple::engine
