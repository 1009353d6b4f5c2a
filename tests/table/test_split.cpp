#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/philox.hpp"
#include "table/split.hpp"
#include "table/table_helpers.hpp"
#include "table/table_stream.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using enum Part;

class SplitTest : public TableTest {
 protected:
  Table table(std::string_view content) {
    return read_table(file(content), schema(R"(
  - {name: id, type: integer, role: id}
  - {name: year, type: integer}
  - {name: kind, type: category, values: [a, b, c], role: label}
  - {name: ill, type: boolean, "true": [t], "false": [f]}
  - {name: day, type: date}
  - {name: x, type: real}
)"));
  }
  /// `rows` cases from `first` on: kind a for one in ten, groups of five by year.
  Table many(int rows, int first = 1) {
    std::string content = "id,year,kind,ill,day,x\n";
    for (int i = first; i < first + rows; ++i) {
      content += std::to_string(i) + "," + std::to_string(i / 5) + "," + (i % 10 == 0 ? "a" : "b") + ",t,,\n";
    }
    return table(content);
  }
  static std::size_t count(const std::vector<Part>& parts, Part part) {
    return static_cast<std::size_t>(std::count(parts.begin(), parts.end(), part));
  }
  static SplitConfig by(std::string column, std::vector<std::string> train, std::vector<std::string> test) {
    SplitConfig split;
    split.column = std::move(column);
    split.train = std::move(train);
    split.test = std::move(test);
    split.place = {"run.yaml", 3, 5};
    return split;
  }
};

TEST_F(SplitTest, AFractionOfRowsIsExactAndReproducible) {
  const Table cases = many(1000);
  SplitConfig split;
  split.test_fraction = 0.3;
  const auto parts = divide(cases, split, 7);
  EXPECT_EQ(count(parts, test), 300U);
  EXPECT_EQ(count(parts, train), 700U);
  EXPECT_EQ(divide(cases, split, 7), parts);
  EXPECT_NE(divide(cases, split, 8), parts);
}

TEST_F(SplitTest, TheOrderOfCasesDoesNotComeFromOtherRows) {
  SplitConfig split;
  split.test_fraction = 0.5;
  const auto all = divide(many(1000), split, 7), half = divide(many(500), split, 7);
  std::size_t same = 0;
  for (std::size_t i = 0; i < half.size(); ++i) same += all[i] == half[i] ? 1U : 0U;
  EXPECT_GT(same, 450U) << "only cases at the cut may change sides";
}

TEST_F(SplitTest, StratifiedKeepsProportions) {
  const Table cases = many(1000);
  SplitConfig split;
  split.stratified = "kind";
  const auto parts = divide(cases, split, 7);
  std::size_t rare = 0;
  for (std::size_t row = 0; row < parts.size(); ++row)
    rare += parts[row] == test && cases.column("kind").number(row) == 0 ? 1U : 0U;
  EXPECT_EQ(rare, 30U);
  EXPECT_EQ(count(parts, test), 300U);
}

TEST_F(SplitTest, GroupsStayTogether) {
  const Table cases = many(1000, 5);
  SplitConfig split;
  split.group = "year";
  const auto parts = divide(cases, split, 7);
  for (std::size_t row = 1; row < parts.size(); ++row) {
    if (cases.column("year").number(row) == cases.column("year").number(row - 1)) {
      EXPECT_EQ(parts[row], parts[row - 1]);
    }
  }
  EXPECT_EQ(count(parts, test), 300U);
}

TEST_F(SplitTest, ARowWithoutAGroupIsInNeitherPart) {
  SplitConfig split;
  split.group = "year";
  split.test_fraction = 0.5;
  const auto parts = divide(table("id,year,kind,ill,day,x\n1,1,a,t,,\n2,2,a,t,,\n3,,a,t,,\n"), split, 1);
  EXPECT_EQ(parts[2], neither);
  EXPECT_NE(parts[0], parts[1]);
}

TEST_F(SplitTest, ByColumnComparesValuesOfEveryType) {
  const Table cases = table("id,year,kind,ill,day,x\n1,1984,a,t,2020-01-01,\n2,1985,b,f,2020-01-02,\n3,1986,c,t,,\n4,,,f,,\n");
  EXPECT_THAT(divide(cases, by("year", {"1984", "1985"}, {"1986"}), 1), ElementsAre(train, train, test, neither));
  EXPECT_THAT(divide(cases, by("kind", {"b"}, {"a"}), 1), ElementsAre(test, train, neither, neither));
  EXPECT_THAT(divide(cases, by("ill", {"t"}, {"f"}), 1), ElementsAre(train, test, train, test));
  EXPECT_THAT(divide(cases, by("day", {"2020-01-01"}, {"2020-01-02"}), 1), ElementsAre(train, test, neither, neither));
}

/// More cases than are kept at once: the same as if all were sorted.
TEST_F(SplitTest, OfManyCasesThoseThatComeFirstInTheRandomOrder) {
  Table cases = table("id,year,kind,ill,day,x\n");
  const std::size_t rows = 200000;
  for (std::size_t i = 0; i < rows; ++i) cases.case_id.push_back(3 * i + 1);
  const Philox generator(7, "split");
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto bits = generator.block({static_cast<std::uint32_t>(cases.case_id[row]), 0, 0, 0});
    order.emplace_back(std::uint64_t{bits[0]} << 32 | bits[1], row);
  }
  std::sort(order.begin(), order.end());
  for (const double fraction : {0.3, 0.0001, 0.9999}) {
    SplitConfig split;
    split.test_fraction = fraction;
    std::vector<Part> expected(rows, train);
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::llround(fraction * rows)); ++i) expected[order[i].second] = test;
    EXPECT_EQ(divide(cases, split, 7), expected);
  }
}

TEST_F(SplitTest, PortionsMakeNoDifference) {
  const Table cases = many(1000);
  SplitConfig group, stratified;
  group.group = "year";
  stratified.stratified = "kind";
  for (const SplitConfig& split : {SplitConfig(), stratified, group, by("kind", {"a"}, {"b"})}) {
    TableStream stream(folder_.path() / "cases.csv", cases.schema);
    Divider divider(cases.schema, split, 7);
    do {
      stream.restart();
      for (Table portion = stream.next(77); portion.rows() > 0; portion = stream.next(77)) divider.look_at(portion);
    } while (divider.end_pass());
    std::vector<Part> parts;
    stream.restart();
    for (Table portion = stream.next(301); portion.rows() > 0; portion = stream.next(301)) {
      const auto more = divider.divide(portion);
      parts.insert(parts.end(), more.begin(), more.end());
    }
    EXPECT_EQ(parts, divide(cases, split, 7));
  }
}

TEST_F(SplitTest, RefusesWithThePlaceOfTheSplit) {
  const Table cases = table("id,year,kind,ill,day,x\n1,1984,a,t,,1\n2,1985,b,f,,2\n");
  const auto refusal = [&](const SplitConfig& split) { return message_of([&] { divide(cases, split, 1); }); };
  EXPECT_THAT(refusal(by("yaer", {"1984"}, {"1985"})),
              HasSubstr("run.yaml:3:5: the split's column \"yaer\" is no column of the table: did you mean \"year\"?"));
  EXPECT_THAT(refusal(by("x", {"1"}, {"2"})), HasSubstr("cannot divide rows"));
  EXPECT_THAT(refusal(by("id", {"1"}, {"2"})), HasSubstr("its role is id"));
  EXPECT_THAT(refusal(by("year", {"1984"}, {"1999"})), HasSubstr("\"1999\" of column \"year\": no row has it"));
  EXPECT_THAT(refusal(by("kind", {"a"}, {"z"})), HasSubstr("cannot hold it"));
  EXPECT_THAT(refusal(by("year", {"1984"}, {"1984"})), HasSubstr("listed twice"));
  EXPECT_THAT(refusal(by("year", {"1984", "1985"}, {})), HasSubstr("leaves the test part empty"));
  SplitConfig both;
  both.group = "year";
  both.stratified = "kind";
  EXPECT_THAT(refusal(both), HasSubstr("stratified and by group"));
  SplitConfig tiny;
  tiny.test_fraction = 0.1;
  EXPECT_THAT(refusal(tiny), HasSubstr("leaves the test part empty: the table has 2 rows"));
}

TEST_F(SplitTest, WhatTheSchemaAloneTellsIsCheckedWithoutTheTable) {
  const Schema known = table("id,year,kind,ill,day,x\n").schema;
  const auto refusal = [&](const SplitConfig& split) -> std::string {
    try {
      check_split(known, split);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(by("year", {"1984"}, {"1985"})), "accepted");
  EXPECT_EQ(refusal(by("kind", {"a"}, {"b", "c"})), "accepted");
  EXPECT_THAT(refusal(by("kind", {"a"}, {"B"})), HasSubstr("run.yaml:3:5: the split's value \"B\" of column \"kind\""));
  EXPECT_THAT(refusal(by("year", {"last"}, {"1985"})), HasSubstr("the column's type is integer, which cannot hold it"));
  EXPECT_THAT(refusal(by("x", {"1"}, {"2"})), HasSubstr("it is a real number"));
  SplitConfig split;
  split.stratified = "x";
  EXPECT_THAT(refusal(split), HasSubstr("the split's stratified \"x\" cannot divide rows"));
  split.stratified = "kind";
  EXPECT_EQ(refusal(split), "accepted");
}

}  // namespace
}  // namespace hiple
