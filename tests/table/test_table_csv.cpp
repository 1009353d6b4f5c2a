#include <gmock/gmock.h>

#include "table/table.hpp"
#include "table/table_helpers.hpp"
#include "table/table_reading.hpp"

namespace hiple {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using enum Cell;

constexpr std::string_view mixed = R"(
  - {name: record, type: integer, role: id}
  - {name: TSH, type: real, range: [0, 600], missing: ["?", "-9"]}
  - {name: count, type: integer, range: [0, 9]}
  - {name: sex, type: category, values: [F, M], missing: ["?"]}
  - {name: sick, type: boolean, "true": [t], "false": [f]}
  - {name: seen, type: date}
  - {name: note, role: ignore}
)";

class TableCsvTest : public TableTest {
 protected:
  Table read(std::string_view columns, std::string_view content, std::string_view head = "schema: 1\n") {
    return read_table(file(content), schema(columns, head));
  }
  std::string refusal(std::string_view columns, std::string_view content, std::string_view head = "schema: 1\n") {
    return message_of([&] { read(columns, content, head); });
  }
};

TEST_F(TableCsvTest, ReadsEveryTypeInTheOrderOfCases) {
  const Table table = read(mixed,
                           "seen,record,TSH,count,sex,sick,note\n"
                           "1970-01-03,18446744073709551615,0.5,7,M,t,\"a, b\"\n"
                           ",2,?,,?,,\n");
  EXPECT_THAT(table.case_id, ElementsAre(2U, 18446744073709551615U));
  EXPECT_THAT(table.column("TSH").cells, ElementsAre(missing, known));
  EXPECT_EQ(std::get<std::vector<double>>(table.column("TSH").values)[1], 0.5);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(table.column("count").values)[1], 7);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(table.column("sex").values)[1], 1);
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(table.column("sick").values)[1], 1);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(table.column("seen").values)[1], 2);
  EXPECT_EQ(table.column("seen").number(1), 2.0);
  for (const char* name : {"count", "sex", "sick", "seen"}) EXPECT_THAT(table.column(name).cells, ElementsAre(missing, known));
  EXPECT_TRUE(table.column("note").cells.empty());
  EXPECT_TRUE(table.text_of_invalid.empty());
}

TEST_F(TableCsvTest, AValueOutsideItsRangeOrListIsInvalidAndNoNumber) {
  const Table table = read(mixed, "record,TSH,count,sex,sick,seen,note\n1,600,9,F,f,,\n2,600.1,10,X,f,,\n3,-0.001,-1,f,f,,\n");
  EXPECT_THAT(table.column("TSH").cells, ElementsAre(known, invalid, invalid));
  EXPECT_THAT(table.column("count").cells, ElementsAre(known, invalid, invalid));
  EXPECT_THAT(table.column("sex").cells, ElementsAre(known, invalid, invalid));
  EXPECT_EQ(table.column("TSH").number(1), 0.0);
  ASSERT_EQ(table.text_of_invalid.size(), 5U) << "only the first few";
  EXPECT_THAT(table.text_of_invalid[0], EndsWith("cases.csv:3:3: TSH 600.1"));
  EXPECT_THAT(table.text_of_invalid[2], EndsWith("cases.csv:3:12: sex X"));
}

TEST_F(TableCsvTest, AMissingCodeIsMissingHoweverTheNumberIsWritten) {
  const Table table = read(mixed, "record,TSH,count,sex,sick,seen\n1,-9,1,F,t,\n2,-9.0,1,F,t,\n3,?,1,F,t,\n4,,1,F,t,\n");
  EXPECT_THAT(table.column("TSH").cells, ElementsAre(missing, missing, missing, missing));
}

TEST_F(TableCsvTest, TellsUnreadableCellsWithPlaceAndValue) {
  const std::string text = refusal(mixed,
                                   "record,TSH,count,sex,sick,seen,note\n"
                                   "1,nan,1.5,F,true,2020-02-30,\n"
                                   "2,inf,007,F,t,,\n"
                                   "3, 1,1,F,t,,\n"
                                   "4,\"1,5\",1,F,t,,\n"
                                   "-5,1,1,F,t,,\n"
                                   ",1,1,F,t,,\n"
                                   "abc,1,1,F,t,,\n");
  EXPECT_THAT(text, AllOf(HasSubstr("cases.csv:2:3: column \"TSH\": \"nan\" is no real"),
                          HasSubstr("cases.csv:2:7: column \"count\": \"1.5\" is no integer"),
                          HasSubstr("cases.csv:2:13: column \"sick\": \"true\" is no boolean: true is written t, false f"),
                          HasSubstr("cases.csv:2:18: column \"seen\": \"2020-02-30\" is no date")));
  EXPECT_THAT(
      text, AllOf(HasSubstr("cases.csv:3:3: column \"TSH\": \"inf\""), HasSubstr("cases.csv:3:7: column \"count\": \"007\""),
                  HasSubstr("cases.csv:4:3: column \"TSH\": \" 1\""), HasSubstr("cases.csv:5:3: column \"TSH\": \"1,5\""),
                  HasSubstr("cases.csv:6:1: the case id \"-5\" is no number"), HasSubstr("cases.csv:7:1: the case id is missing"),
                  HasSubstr("cases.csv:8:1: the case id \"abc\"")));
}

TEST_F(TableCsvTest, StopsAfterTwentyProblemsAndSaysSo) {
  std::string content = "x\n";
  for (int i = 0; i < 50; ++i) content += "bad\n";
  const std::string text = refusal("  - {name: x, type: real}\n", content);
  EXPECT_THAT(text, AllOf(HasSubstr("cases.csv:21:1"), HasSubstr("reading stopped after 20 problems: there may be more")));
  EXPECT_THAT(text, testing::Not(HasSubstr("cases.csv:22:1")));
}

TEST_F(TableCsvTest, TellsAWrongNumberOfFields) {
  const std::string text = refusal("  - {name: x, type: real}\n  - {name: y, type: real}\n", "x,y\n1\n1,2\n3,4,5\n");
  EXPECT_THAT(text, AllOf(HasSubstr("cases.csv:2:2: a record of 1 field: the header has 2"),
                          HasSubstr("cases.csv:4:5: a record of 3 fields: the header has 2")));
}

TEST_F(TableCsvTest, ChecksTheHeader) {
  const std::string_view columns = "  - {name: TSH, type: real}\n  - {name: age, type: real}\n  - {name: note, role: ignore}\n";
  EXPECT_THAT(
      refusal(columns, "TSH,Age,TSH\n"),
      AllOf(HasSubstr("cases.csv:1:5: column \"Age\" is not in the schema"), HasSubstr("did you mean \"age\"?"),
            HasSubstr("cases.csv:1:9: column \"TSH\" stands twice"), HasSubstr("cases.csv:1:1: column \"age\" is missing")));
  EXPECT_THAT(message_of([&] { check_table_header(file("TSH\n"), schema(columns)); }), HasSubstr("column \"age\" is missing"));
  EXPECT_NO_THROW(check_table_header(file("age,TSH\nrubbish"), schema(columns)));
}

TEST_F(TableCsvTest, NamesAnotherSeparatorAndAMissingFile) {
  const std::string_view columns = "  - {name: x, type: real}\n  - {name: y, type: real}\n";
  EXPECT_THAT(refusal(columns, "x;y\n1;2\n"),
              StartsWith("cases.csv:1:1: the header is one field, \"x;y\": fields are separated by commas"));
  EXPECT_THAT(message_of([&] { read_table(folder_.path() / "absent.csv", schema(columns)); }), StartsWith("absent.csv: "));
  EXPECT_THAT(message_of([&] { read_table(folder_.path(), schema(columns)); }), HasSubstr("is a folder"));
}

TEST_F(TableCsvTest, CutsLongTextsInMessages) {
  EXPECT_LT(refusal("  - {name: x, type: real}\n", "x\n" + std::string(100000, 'y') + "\n").size(), 400U);
}

TEST_F(TableCsvTest, WithoutAHeaderColumnsComeInTheSchemasOrder) {
  const std::string_view columns = "  - {name: x, type: real}\n  - {name: skip, role: ignore}\n  - {name: y, type: real}\n";
  const Table table = read(columns, "1,a,2\n3,b,4", "schema: 1\nheader: false\n");
  EXPECT_THAT(table.case_id, ElementsAre(1U, 2U)) << "rows are numbered from 1 where there is no id";
  EXPECT_EQ(table.column("y").number(1), 4.0);
  EXPECT_THAT(refusal(columns, "1,2\n", "schema: 1\nheader: false\n"), HasSubstr("a record of 2 fields: the schema has 3"));
  EXPECT_THAT(refusal(columns, "", "schema: 1\nheader: false\n"), HasSubstr("the table is empty"));
}

TEST_F(TableCsvTest, AnEmptyFileIsRefusedAHeaderAloneIsATableWithoutRows) {
  EXPECT_THAT(refusal("  - {name: x, type: real}\n", ""), StartsWith("cases.csv: the table is empty"));
  EXPECT_EQ(read("  - {name: x, type: real}\n", "x\n").rows(), 0U);
}

TEST_F(TableCsvTest, RefusesDuplicateIdsWithBothLines) {
  const std::string_view columns =
      "  - {name: id, type: integer, role: id}\n  - {name: text, type: category, values: [\"a\\nb\"]}\n";
  EXPECT_THAT(refusal(columns, "id,text\n7,\"a\nb\"\n3,\n7,\n3,\n"),
              AllOf(HasSubstr("cases.csv:6:1: case id 3 stands twice: the other one is at cases.csv:4:1"),
                    HasSubstr("cases.csv:5:1: case id 7 stands twice: the other one is at cases.csv:2:1")));
}

TEST_F(TableCsvTest, KeepsOnlyWantedColumnsAndTheId) {
  const Schema all = schema("  - {name: id, type: integer, role: id}\n  - {name: x, type: real}\n  - {name: y, type: real}\n");
  const std::vector<std::string> wanted = {"y"};
  const Table table = read_table(file("id,x,y\n2,bad,5\n1,worse,6\n"), all, wanted);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_THAT(table.case_id, ElementsAre(1U, 2U));
  EXPECT_EQ(table.column("y").number(0), 6.0);
  EXPECT_THROW((void)table.column("x"), Error);
  const std::vector<std::string> unknown = {"z"};
  EXPECT_THROW(read_table(file("id,x,y\n"), all, unknown), Error);
}

TEST_F(TableCsvTest, ShowsThatItMoves) {
  std::string content = "x\n";
  for (int i = 0; i < 10000; ++i) content += "1\n";
  int beats = 0;
  read_table(file(content), schema("  - {name: x, type: real}\n"), {}, [&] { ++beats; });
  EXPECT_EQ(beats, 3);  // before row 0, 4096 and 8192
}

}  // namespace
}  // namespace hiple
