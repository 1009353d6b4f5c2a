#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "engine/features.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

const std::vector<std::uint32_t> four_rows = {0, 1, 2, 3};

Table one_column(ColumnSchema schema, Column::Values values, std::vector<Cell> cells = {}) {
  Table table = empty_table(4);
  add_column(table, std::move(schema), std::move(values), std::move(cells));
  return table;
}

std::vector<float> dense_of(const Features& features, const Table& table, std::vector<std::uint32_t> rows) {
  Inputs inputs;
  FeatureReader(features, table).read(rows, inputs);
  return inputs.dense;
}

TEST(Features, StandardiseByTheFittedRowsAlone) {
  const Table table = one_column(column("x", ColumnType::real), std::vector<double>{1, 3, 100, 5});
  const Features features = Features::fit(table, {{"x"}}, std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(features.list()[0].mean, 2.0);
  EXPECT_EQ(features.list()[0].scale, 1.0);
  EXPECT_THAT(dense_of(features, table, {0, 3}), ElementsAre(-1.0F, 0.0F, 3.0F, 0.0F));
}

TEST(Features, AMissingValueIsTheMeanAndIsMarked) {
  const Table table = one_column(column("x", ColumnType::integer), std::vector<std::int64_t>{0, 4, -9999, 8},
                                 {Cell::known, Cell::known, Cell::missing, Cell::known});
  const Features features = Features::fit(table, {{"x"}}, four_rows);
  EXPECT_EQ(features.list()[0].mean, 4.0);
  EXPECT_THAT(dense_of(features, table, {2}), ElementsAre(0.0F, 1.0F));
}

TEST(Features, ADateIsANumberOfDays) {
  const Table table = one_column(column("d", ColumnType::date), std::vector<std::int32_t>{10, 20, 10, 20});
  EXPECT_THAT(dense_of(Features::fit(table, {{"d"}}, four_rows), table, {1}), ElementsAre(1.0F, 0.0F));
}

TEST(Features, ABooleanStaysZeroOrOne) {
  const Table table = one_column(column("b", ColumnType::boolean), std::vector<std::uint8_t>{1, 0, 1, 1},
                                 {Cell::known, Cell::known, Cell::missing, Cell::known});
  EXPECT_THAT(dense_of(Features::fit(table, {{"b"}}, four_rows), table, four_rows),
              ElementsAre(1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 0.0F));
}

TEST(Features, AConstantIsNotDividedByZero) {
  const Table table = one_column(column("x", ColumnType::real), std::vector<double>{0.1, 0.1, 0.1, 0.3});
  const Features features = Features::fit(table, {{"x"}}, std::vector<std::uint32_t>{0, 1, 2});
  EXPECT_EQ(features.list()[0].scale, 1.0);
  EXPECT_THAT(dense_of(features, table, {0, 3}), ElementsAre(FloatEq(0.0F), 0.0F, FloatEq(0.2F), 0.0F));
}

TEST(Features, AllMissingIsZeroAndMarked) {
  const Table table =
      one_column(column("x", ColumnType::real), std::vector<double>{7, 7, 7, 7}, std::vector<Cell>(4, Cell::missing));
  EXPECT_THAT(dense_of(Features::fit(table, {{"x"}}, four_rows), table, {0}), ElementsAre(0.0F, 1.0F));
}

TEST(Features, HugeNumbersStayFinite) {
  const Table huge = one_column(column("x", ColumnType::real), std::vector<double>{1e300, -1e300, 1e300, 1.7e308});
  const Features fitted = Features::fit(huge, {{"x"}}, four_rows);
  for (const float value : dense_of(fitted, huge, four_rows)) EXPECT_LE(std::abs(value), 2.0F);
  const Table small = one_column(column("x", ColumnType::real), std::vector<double>{1, 2, 3, 4});
  EXPECT_THAT(dense_of(Features::fit(small, {{"x"}}, four_rows), huge, {0, 1}),
              ElementsAre(static_cast<float>(largest_deviation), 0.0F, -static_cast<float>(largest_deviation), 0.0F));
  const Table tiny = one_column(column("x", ColumnType::real), std::vector<double>{1e-300, 2e-300, 3e-300, 4e-300});
  EXPECT_NEAR(dense_of(Features::fit(tiny, {{"x"}}, four_rows), tiny, {3})[0], 1.3416, 1e-3);
}

TEST(Features, AValueThatIsNotFiniteIsInvalid) {
  const Table table =
      one_column(column("x", ColumnType::real), std::vector<double>{1, std::numeric_limits<double>::infinity(), std::nan(""), 3},
                 {Cell::known, Cell::known, Cell::known, Cell::invalid});
  const Features features = Features::fit(table, {{"x"}}, std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(features.list()[0].mean, 1.0);
  const FeatureReader reader(features, table);
  EXPECT_TRUE(reader.valid(0));
  EXPECT_FALSE(reader.valid(1));
  EXPECT_FALSE(reader.valid(2));
  EXPECT_FALSE(reader.valid(3));
  EXPECT_THAT(rows_without_invalid(table, {{"x"}}, four_rows), ElementsAre(0U));
}

TEST(Features, CategoriesMeetByText) {
  const Table training =
      one_column(column("c", ColumnType::category, ColumnRole::input, {"a", "b", "c"}), std::vector<std::int32_t>{0, 2, 2, 0});
  const Features features = Features::fit(training, {{"c"}}, four_rows);
  EXPECT_THAT(features.list()[0].vocabulary, ElementsAre("a", "c"));
  EXPECT_THAT(features.vocabulary_sizes(), ElementsAre(2));
  EXPECT_EQ(features.dense_width(), 0U);

  const Table other = one_column(column("c", ColumnType::category, ColumnRole::input, {"c", "b", "a"}),
                                 std::vector<std::int32_t>{0, 1, 2, 0}, {Cell::known, Cell::known, Cell::known, Cell::missing});
  const FeatureReader reader(features, other);
  EXPECT_FALSE(reader.valid(1));  // "b" was never seen
  Inputs inputs;
  reader.read(std::vector<std::uint32_t>{0, 2, 3}, inputs);
  EXPECT_THAT(inputs.codes, ElementsAre(1, 0, -1));
}

TEST(Features, RefusesAnotherTypeOrUnitAndAMissingColumnAtOnce) {
  Table training = one_column(column("TSH", ColumnType::real), std::vector<double>{1, 2, 3, 4});
  training.schema.columns[0].unit = "mU/L";
  add_column(training, column("sex", ColumnType::boolean), std::vector<std::uint8_t>{0, 1, 0, 1});
  add_column(training, column("age", ColumnType::integer), std::vector<std::int64_t>{0, 1, 0, 1});
  const Features features = Features::fit(training, {{"TSH", "sex", "age"}}, four_rows);

  Table other = one_column(column("TSH", ColumnType::real), std::vector<double>{1, 2, 3, 4});
  add_column(other, column("sexx", ColumnType::boolean), std::vector<std::uint8_t>{0, 1, 0, 1});
  add_column(other, column("age", ColumnType::real), std::vector<double>{0, 1, 0, 1});
  try {
    const FeatureReader reader(features, other);
    FAIL() << "no error";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 3U);
    EXPECT_THAT(error.problems()[0].why, HasSubstr("real in mU/L"));
    EXPECT_THAT(error.problems()[1].remedy, HasSubstr("sexx"));
    EXPECT_THAT(error.problems()[2].what, HasSubstr("age"));
  }
}

/// Two series of three points, with a column between them.
Table two_series() {
  Table table = empty_table(2);
  double next = 0;
  for (const char* name : {"a_0", "a_1", "a_2", "x", "b_0", "b_1", "b_2"}) {
    add_column(table, column(name, ColumnType::real), std::vector<double>{next, next + 2});
    next += 10;
  }
  column_of(table, "b_1").cells[1] = Cell::missing;
  return table;
}

TEST(Features, ASeriesIsReadPointAfterPoint) {
  const Table table = two_series();
  const std::vector<std::string> names{"b", "x", "a"};
  const Features features = Features::fit(table, names, std::vector<std::uint32_t>{0, 1}, true);
  EXPECT_EQ(features.scalar_width(), 2U);
  EXPECT_EQ(features.series_count(), 2U);
  EXPECT_EQ(features.series_length(), 3U);
  EXPECT_EQ(features.dense_width(), 14U);
  // x; then of each point b, whether it is missing, a, whether it is missing. b_1 is known in one row alone.
  EXPECT_THAT(dense_of(features, table, {1}), ElementsAre(1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0));
  EXPECT_THAT(dense_of(features, table, {0}), ElementsAre(-1, 0, -1, 0, -1, 0, 0, 0, -1, 0, -1, 0, -1, 0));
}

TEST(Features, AnotherNetworkReadsTheColumnsOfASeries) {
  Table table = two_series();
  const std::vector<std::string> names{"b", "x"};
  const Features features = Features::fit(table, names, std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(features.series_count(), 0U);
  EXPECT_EQ(features.list()[2].name, "b_2");
  EXPECT_THAT(dense_of(features, table, {1}), ElementsAre(1, 0, 0, 1, 1, 0, 1, 0));
  column_of(table, "b_2").cells[0] = Cell::invalid;
  EXPECT_THAT(rows_without_invalid(table, names, std::vector<std::uint32_t>{0, 1}), ElementsAre(1));
}

TEST(Features, SeriesReadTogetherHaveOneLength) {
  Table table = two_series();
  table.schema.columns.pop_back();
  table.columns.pop_back();
  const std::vector<std::string> names{"a", "b"}, none{"c"};
  EXPECT_THROW(Features::fit(table, names, std::vector<std::uint32_t>{0, 1}, true), Error);
  EXPECT_NO_THROW(Features::fit(table, names, std::vector<std::uint32_t>{0, 1}));
  EXPECT_THROW(Features::fit(table, none, std::vector<std::uint32_t>{0, 1}), Error);
}

}  // namespace
}  // namespace hiple::engine
