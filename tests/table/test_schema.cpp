#include <gmock/gmock.h>

#include "table/schema.hpp"
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
