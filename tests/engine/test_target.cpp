#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/target.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(Target, ClassesFollowTheColumnsType) {
  const Table table = table_of(10);
  EXPECT_THAT(make_target(table, "state").classes, ElementsAre("low", "high", "odd"));
  EXPECT_THAT(make_target(table, "wet").classes, ElementsAre("false", "true"));
  EXPECT_TRUE(make_target(table, "sum").is_regression());
  EXPECT_EQ(make_target(table, "sum").outputs(), 1U);
  EXPECT_THROW(make_target(table, "stat"), InputError);
}

TEST(Target, RefusesADate) {
  Table table = empty_table(1);
  add_column(table, column("seen", ColumnType::date, ColumnRole::label), std::vector<std::int32_t>{1});
  EXPECT_THROW(make_target(table, "seen"), InputError);
}

TEST(Target, LeavesOutRowsWithoutIt) {
  Table table = table_of(4);
  column_of(table, "state").cells = {Cell::known, Cell::missing, Cell::invalid, Cell::known};
  EXPECT_THAT(rows_with_target(table, "state", std::vector<std::uint32_t>{0, 1, 2, 3}), ElementsAre(0U, 3U));
}

TEST(Target, ReadsClassesByText) {
  Table table = empty_table(3);
  add_column(table, column("t", ColumnType::category, ColumnRole::label, {"b", "a", "c"}), std::vector<std::int32_t>{0, 1, 2});
  const Target target{"t", {"a", "b"}, 0, 1};
  EXPECT_THAT(target_classes(table, target, std::vector<std::uint32_t>{0, 1}), ElementsAre(1U, 0U));
  EXPECT_THROW((void)target_classes(table, target, std::vector<std::uint32_t>{2}), Error);
}

TEST(Target, BalancedWeightsAverageToOne) {
  const std::vector<std::uint32_t> classes = {0, 0, 0, 2};
  EXPECT_THAT(class_weights("balanced", classes, 3), ElementsAre(DoubleEq(4.0 / 6.0), 0.0, DoubleEq(2.0)));
  EXPECT_THAT(class_weights("none", classes, 3), ElementsAre(1.0, 0.0, 1.0));
}

}  // namespace
}  // namespace hiple::engine
