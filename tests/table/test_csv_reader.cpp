#include <gmock/gmock.h>

#include <vector>

#include "table/csv_reader.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using Records = std::vector<std::vector<std::string>>;

class CsvReaderTest : public TableTest {
 protected:
  Records read(std::string_view content) {
    CsvReader reader(file(content));
    Records records;
    while (reader.next()) records.emplace_back(reader.fields().begin(), reader.fields().end());
    return records;
  }
  std::string refusal(std::string_view content) {
    return message_of([&] { read(content); });
  }
};

TEST_F(CsvReaderTest, ReadsPlainRecords) { EXPECT_EQ(read("a,b\n1,2\n"), (Records{{"a", "b"}, {"1", "2"}})); }

TEST_F(CsvReaderTest, TakesCrlfByteOrderMarkAndAMissingLastLineEnd) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a,b\r\n1,2"),
            (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("a,b\r\n1,2\r"), (Records{{"a", "b"}, {"1", "2"}}));
}

TEST_F(CsvReaderTest, RefusesWhatIsNoText) {
  using std::string_view_literals::operator""sv;
  EXPECT_THAT(refusal("\xFF\xFE"
                      "a\0,\0"sv),
              testing::HasSubstr("cases.csv:1:1: the table is UTF-16 text"));
  EXPECT_THAT(refusal("a,b\n1,x\0y\n"sv), testing::HasSubstr("cases.csv:2:4: a byte of value zero"));
}

TEST_F(CsvReaderTest, AnEmptyFileHasNoRecord) {
  EXPECT_THAT(read(""), IsEmpty());
  EXPECT_THAT(read("\xEF\xBB\xBF"), IsEmpty());
  EXPECT_THAT(read("\n\r\n"), IsEmpty());
}

TEST_F(CsvReaderTest, KeepsEmptyFieldsAndBlanks) {
  EXPECT_EQ(read(",, x ,\n"), (Records{{"", "", " x ", ""}}));
  EXPECT_EQ(read("\"\"\n"), (Records{{""}}));
  EXPECT_EQ(read(" \n"), (Records{{" "}}));
}

TEST_F(CsvReaderTest, ReadsQuotedCommasQuotesAndLineEnds) {
  EXPECT_EQ(read("\"a,b\",\"say \"\"x\"\"\",\"one\r\ntwo\nthree\"\n4,5,6\n"),
            (Records{{"a,b", "say \"x\"", "one\r\ntwo\nthree"}, {"4", "5", "6"}}));
}

TEST_F(CsvReaderTest, KnowsWhereFieldsBegin) {
  CsvReader reader(file("a,b,c\n\"x\ny\",22,\"z\"\nlast,1,2"));
  ASSERT_TRUE(reader.next());
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.place().text(), testing::EndsWith("cases.csv:2:1"));
  EXPECT_EQ(reader.place_of(0).line, 2U);
  EXPECT_EQ(reader.place_of(0).column, 1U);
  EXPECT_EQ(reader.place_of(1).line, 3U);
  EXPECT_EQ(reader.place_of(1).column, 4U);
  EXPECT_EQ(reader.place_of(2).column, 7U);
  EXPECT_EQ(reader.place_of(3).column, 10U) << "the end of the record";
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.place_of(2).line, 4U);
  EXPECT_EQ(reader.place_of(2).column, 8U);
  EXPECT_FALSE(reader.next());
}

TEST_F(CsvReaderTest, CrossesBlocks) {
  std::string content;
  const std::string wide(1500, 'x');
  for (int i = 0; i < 2000; ++i) content += std::to_string(i) + ",\"" + wide + "\n" + wide + "\"\n";
  CsvReader reader(file(content));
  int count = 0;
  while (reader.next()) {
    ASSERT_EQ(reader.fields().size(), 2U);
    EXPECT_EQ(reader.fields()[0], std::to_string(count));
    EXPECT_EQ(reader.fields()[1].size(), 3001U);
    EXPECT_EQ(reader.place().line, static_cast<std::size_t>(2 * count + 1));
    ++count;
  }
  EXPECT_EQ(count, 2000);
}

TEST_F(CsvReaderTest, RefusesAQuoteInTheMiddle) {
  EXPECT_THAT(refusal("a,b\n1,2\"3\n"), StartsWith("cases.csv:2:4: a quote inside a field"));
  EXPECT_THAT(refusal("a,b\n\"1\"2,3\n"), StartsWith("cases.csv:2:4: a character after a closing quote"));
  EXPECT_THAT(refusal("\"x\ny\",\"1\" ,3\n"), StartsWith("cases.csv:2:7: a character after a closing quote"));
}

TEST_F(CsvReaderTest, RefusesAQuoteThatIsNeverClosed) {
  EXPECT_THAT(refusal("a,b\n1,\"2\n3,4\n5,6\n"), StartsWith("cases.csv:2:3: a quote that is never closed"));
  EXPECT_THAT(refusal("\""), StartsWith("cases.csv:1:1: a quote that is never closed"));
}

TEST_F(CsvReaderTest, RefusesACarriageReturnAlone) {
  EXPECT_THAT(refusal("a,b\r1,2\r"), StartsWith("cases.csv:1:1: a carriage return without a line feed"));
  EXPECT_THAT(refusal("a,b\n1,2\r3,4\n"), StartsWith("cases.csv:2:1: a carriage return"));
  EXPECT_THAT(refusal("a\r\"b\nc\"\n"), StartsWith("cases.csv:1:1: a carriage return"));
}

TEST_F(CsvReaderTest, RefusesABlankLineBetweenRecords) {
  EXPECT_THAT(refusal("a\n1\n\n2\n"), StartsWith("cases.csv:3:1: a blank line between records"));
  EXPECT_EQ(read("a\n1\n\n\n").size(), 2U) << "at the end it is harmless";
}

TEST_F(CsvReaderTest, RefusesFoldersAndMissingFiles) {
  EXPECT_THAT(message_of([&] { CsvReader reader(folder_.path() / "absent.csv"); }), StartsWith("absent.csv: cannot be read"));
  EXPECT_THROW(CsvReader reader(folder_.path()), InputError);
}

}  // namespace
}  // namespace hiple
