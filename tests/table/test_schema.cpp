#include <gmock/gmock.h>

#include <algorithm>

#include "table/schema.hpp"
#include "table/series.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SchemaTest : public TableTest {
 protected:
  std::string refusal(std::string_view columns) {
    return message_of([&] { schema(columns); });
  }
};

TEST_F(SchemaTest, ReadsEveryKey) {
  const Schema read = schema(R"(
  - {name: TSH, type: real, unit: mU/L, range: [0, 600.5], missing: ["?", NA]}
  - {name: sex, type: category, values: [F, M], missing: ["?"]}
  - {name: sick, type: boolean, "true": [t, T], "false": [f]}
  - {name: seen, type: date, range: [1970-01-02, 1970-01-11]}
  - {name: record, type: integer, role: id}
  - {name: hypo, type: category, values: [none, F], role: label}
  - {name: note, role: ignore}
)");
  ASSERT_EQ(read.columns.size(), 7U);
  EXPECT_TRUE(read.header);
  const ColumnSchema& tsh = read.columns[0];
  EXPECT_EQ(tsh.type, ColumnType::real);
  EXPECT_EQ(tsh.role, ColumnRole::input);
  EXPECT_EQ(tsh.unit, "mU/L");
  EXPECT_EQ(tsh.low, 0.0);
  EXPECT_EQ(tsh.high, 600.5);
  EXPECT_THAT(tsh.missing, ElementsAre("?", "NA"));
  EXPECT_EQ(tsh.place.line, 4U);
  EXPECT_THAT(read.columns[1].values, ElementsAre("F", "M"));
  EXPECT_THAT(read.columns[2].true_texts, ElementsAre("t", "T"));
  EXPECT_EQ(read.columns[3].low, 1.0);
  EXPECT_EQ(read.columns[3].high, 10.0);
  EXPECT_THAT(read.names(ColumnRole::label), ElementsAre("hypo"));
  EXPECT_EQ(read.find("record"), 4U);
  EXPECT_EQ(read.find("tsh"), std::nullopt);
}

TEST_F(SchemaTest, ReadsHeaderFalse) { EXPECT_FALSE(schema("  - {name: a, type: real}\n", "schema: 1\nheader: false\n").header); }

TEST_F(SchemaTest, TellsAllProblemsAtTheirPlaces) {
  EXPECT_THAT(refusal(R"(
  - {name: a, type: real, rnage: [0, 1]}
  - {name: a, type: real, range: [5, 1]}
  - {name: b, type: category}
  - {name: c, type: number}
  - {name: d, type: integer, role: id}
  - {name: e, type: real, role: id}
  - {name: f, type: category, values: [x, y, x], missing: [y]}
  - {name: g, type: boolean, "true": [t], "false": [t]}
  - {name: h, type: real, values: [1]}
  - {name: i, type: date, range: [2020-02-30, 2021-01-01]}
)"),
              AllOf(HasSubstr("schema.yaml:4:27: unknown key \"rnage\""), HasSubstr("did you mean \"range\"?"),
                    HasSubstr("schema.yaml:5:12: column \"a\" stands twice"), HasSubstr("is upside down"),
                    HasSubstr("schema.yaml:6:12: category \"b\" has no values"), HasSubstr("schema.yaml:7:21: "),
                    HasSubstr("schema.yaml:9:12: \"e\" is a second id column"), HasSubstr("the type of id column \"e\" is real"),
                    HasSubstr("\"x\" stands twice"), HasSubstr("\"y\" of column \"f\" is a value and a missing code"),
                    HasSubstr("\"t\" is both true and false"), HasSubstr("\"values\" of column \"h\" has no meaning"),
                    HasSubstr("must be a date")));
}

TEST_F(SchemaTest, ASeriesIsAColumnForEachPoint) {
  const Schema read =
      schema("  - {name: id, type: integer, role: id}\n  - {name: P, type: real, unit: bar, range: [0, 9], length: 11}\n");
  ASSERT_EQ(read.columns.size(), 12U);
  EXPECT_EQ(read.columns[1].name, "P_00");
  EXPECT_EQ(read.columns[11].name, "P_10");
  for (std::size_t i = 1; i < 12; ++i) {
    EXPECT_EQ(read.columns[i].unit, "bar");
    EXPECT_EQ(read.columns[i].high, 9.0);
  }
  EXPECT_THAT(with_points(schema("  - {name: P, type: integer, length: 3}\n  - {name: q, type: real}\n"),
                          std::vector<std::string>{"q", "P", "P_1", "r"}),
              ElementsAre("q", "P_0", "P_1", "P_2", "P_1", "r"));
  EXPECT_EQ(columns_named(read, "P").size(), 11U);
  EXPECT_EQ(columns_named(read, "P_07").size(), 1U);
  EXPECT_TRUE(columns_named(read, "p").empty());
  EXPECT_THAT(names_with_series(schema("  - {name: P, type: real, length: 2}\n"), ColumnRole::input),
              ElementsAre("P_0", "P_1", "P"));
}

TEST_F(SchemaTest, RefusesSeriesThatAreNone) {
  EXPECT_THAT(refusal(R"(
  - {name: a, type: real, length: 1}
  - {name: b, type: boolean, length: 5}
  - {name: c, type: real, role: label, length: 5}
  - {name: d, type: real, length: many}
)"),
              AllOf(HasSubstr("schema.yaml:4:35: \"length\" of column \"a\" is 1: a series has from 2 to 65536 points"),
                    HasSubstr("schema.yaml:5:38: \"length\" of column \"b\" has no meaning: the type is boolean"),
                    HasSubstr("\"length\" of column \"c\" has no meaning: the role is label"),
                    HasSubstr("\"length\" of column \"d\" must be a whole number")));
}

TEST_F(SchemaTest, ASeriesSharesNoName) {
  const std::string message = refusal(R"(
  - {name: a, type: real, length: 20}
  - {name: a, type: real, length: 20}
  - {name: a_07, type: real}
  - {name: b, type: real}
  - {name: b, type: real, length: 3}
)");
  EXPECT_THAT(message, AllOf(HasSubstr("schema.yaml:5:12: column \"a_00\" stands twice: first at"),
                             HasSubstr("schema.yaml:6:12: column \"a_07\" stands twice"),
                             HasSubstr("schema.yaml:8:12: column \"b\" stands twice")));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 2) << message;
}

TEST_F(SchemaTest, ASeriesIsReadFromATable) {
  const Schema read = schema("  - {name: id, type: integer, role: id}\n  - {name: P, type: real, missing: [\"?\"], length: 3}\n");
  const Table table = read_table(file("P_2,id,P_0,P_1\n3,7,1,?\n"), read);
  EXPECT_EQ(table.column("P_0").number(0), 1);
  EXPECT_EQ(table.column("P_1").cells[0], Cell::missing);
  EXPECT_EQ(table.column("P_2").number(0), 3);
  EXPECT_THAT(message_of([&] { read_table(file("id,P_0,P_1\n7,1,2\n"), read); }),
              HasSubstr("column \"P_2\" is missing: the schema describes it at schema.yaml:4:12"));
}

TEST_F(SchemaTest, RefusesUnitsThatNobodyKnows) {
  EXPECT_THAT(
      refusal("  - {name: a, type: real, unit: mU/LL}\n"),
      AllOf(HasSubstr("\"unit\" of column \"a\" is \"mU/LL\", which is no unit that is known here"), HasSubstr(":3:33: ")));
}

TEST_F(SchemaTest, RefusesNamesThatHdf5CannotHold) {
  EXPECT_THAT(refusal("  - {name: a/b, type: real}\n"), HasSubstr("cannot be a column's name"));
  EXPECT_THAT(refusal("  - {name: \"\", type: real}\n"), HasSubstr("cannot be a column's name"));
}

TEST_F(SchemaTest, RefusesAnotherVersionAndNoColumns) {
  EXPECT_THROW(schema("  - {name: a, type: real}\n", "schema: 2\n"), InputError);
  EXPECT_THROW(schema("  []\n"), InputError);
  EXPECT_THROW(schema("  - a\n"), InputError);
}

}  // namespace
}  // namespace hiple
