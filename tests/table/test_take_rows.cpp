#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "table/take_rows.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;

TEST(TakeRows, KeepsValuesAndCellsOfEachColumn) {
  Table table;
  table.schema.columns.resize(3);
  table.schema.columns[0].name = "a";
  table.case_id = {3, 5, 8};
  table.columns.resize(3);
  table.columns[0] = {std::vector<double>{1, 2, 3}, {Cell::known, Cell::missing, Cell::known}};
  table.columns[1] = {std::vector<std::int32_t>{7, 8, 9}, {Cell::known, Cell::known, Cell::invalid}};
  const std::vector<std::uint32_t> rows = {0, 2};
  const Table taken = take_rows(table, rows);
  EXPECT_THAT(taken.case_id, ElementsAre(3, 8));
  EXPECT_THAT(std::get<std::vector<double>>(taken.columns[0].values), ElementsAre(1, 3));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(taken.columns[1].values), ElementsAre(7, 9));
  EXPECT_THAT(taken.columns[1].cells, ElementsAre(Cell::known, Cell::invalid));
  EXPECT_TRUE(taken.columns[2].cells.empty()) << "a column that was not read stays so";
  EXPECT_EQ(taken.schema.columns[0].name, "a");
  EXPECT_EQ(take_rows(table, {}).rows(), 0U);
  const std::vector<std::uint32_t> back = {2, 0}, beyond = {3};
  EXPECT_THROW((void)take_rows(table, back), Error);
  EXPECT_THROW((void)take_rows(table, beyond), Error);
}

}  // namespace
}  // namespace hiple
