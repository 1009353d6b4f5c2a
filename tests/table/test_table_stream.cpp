#include <gmock/gmock.h>

#include "h5/h5.hpp"
#include "table/table_helpers.hpp"
#include "table/table_stream.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TableStreamTest : public TableTest {
 protected:
  Schema description_ = schema(
      "  - {name: id, type: integer, role: id}\n  - {name: x, type: real, range: [0, 9]}\n  - {name: c, type: category, values: "
      "[a, b]}\n");
  static std::string rows(int count) {
    std::string content = "id,x,c\n";
    for (int i = count; i > 0; --i)
      content += std::to_string(3 * i) + "," + (i % 4 == 0 ? "" : std::to_string(i % 11)) + (i % 3 == 0 ? ",a\n" : ",b\n");
    return content;
  }
  static void expect_same(TableStream& stream, const Table& whole, std::size_t most) {
    std::size_t first = 0;
    for (Table portion = stream.next(most); portion.rows() > 0; portion = stream.next(most)) {
      ASSERT_EQ(portion.columns.size(), whole.columns.size());
      for (std::size_t row = 0; row < portion.rows(); ++row) {
        ASSERT_EQ(portion.case_id[row], whole.case_id[first + row]);
        for (const std::size_t column : {1U, 2U}) {
          ASSERT_EQ(portion.columns[column].cells[row], whole.columns[column].cells[first + row]);
          ASSERT_EQ(portion.columns[column].number(row), whole.columns[column].number(first + row));
        }
      }
      first += portion.rows();
    }
    EXPECT_EQ(first, whole.rows());
  }
};

TEST_F(TableStreamTest, PortionsAreTheTableInOrder) {
  const Table whole = read_table(file(rows(1000)), description_);
  write_table(folder_.path() / "cases.h5", whole);
  TableStream csv(folder_.path() / "cases.csv", description_), hdf5(folder_.path() / "cases.h5", description_);
  EXPECT_TRUE(csv.in_memory());
  EXPECT_FALSE(hdf5.in_memory());
  for (TableStream* stream : {&csv, &hdf5}) {
    EXPECT_EQ(stream->rows(), 1000U);
    for (const std::size_t most : {1U, 77U, 1000U, 5000U}) {
      stream->restart();
      expect_same(*stream, whole, most);
    }
  }
}

TEST_F(TableStreamTest, KeepsOnlyWantedColumns) {
  write_table(folder_.path() / "cases.h5", read_table(file(rows(3)), description_));
  const std::vector<std::string> wanted = {"c"};
  Table portion = TableStream(folder_.path() / "cases.h5", description_, wanted).next(2);
  EXPECT_EQ(portion.columns.size(), 2U);
  EXPECT_THAT(portion.case_id, ElementsAre(3U, 6U));
}

/// Another program may leave the cases in any order; ids that stand twice are refused as in a whole table.
TEST_F(TableStreamTest, CasesOutOfOrderAreSortedInMemory) {
  const auto path = folder_.path() / "hand.h5";
  const auto write = [&](const std::vector<std::uint64_t>& ids) {
    h5::Writer file(path, "hiple table", 1);
    file.write<std::uint64_t>("/case_id", ids);
    file.write<double>("/columns/x", std::vector<double>(ids.begin(), ids.end()));
    file.attribute("/columns/x", "type", std::string("real"));
    file.attribute("/columns/x", "unit", std::string());
    file.write<std::uint8_t>("/cells/x", std::vector<std::uint8_t>(ids.size(), 0));
    file.finish();
  };
  const Schema x = schema("  - {name: x, type: real}\n");
  write({5, 2, 9});
  TableStream stream(path, x);
  EXPECT_TRUE(stream.in_memory());
  EXPECT_THAT(stream.next(10).case_id, ElementsAre(2U, 5U, 9U));
  write({5, 2, 5});
  EXPECT_THAT(message_of([&] { TableStream(path, x); }), HasSubstr("case id 5 stands twice"));
  write({5, 5});
  EXPECT_THAT(message_of([&] { TableStream(path, x); }), HasSubstr("case id 5 stands twice"));
}

TEST_F(TableStreamTest, RowsAreNamedByTheirPlaceInTheFile) {
  write_table(folder_.path() / "cases.h5", read_table(file("id,x,c\n1,1,a\n2,2,a\n3,3,a\n"), description_));
  Schema narrow = description_;
  narrow.columns[1].high = 2;
  TableStream stream(folder_.path() / "cases.h5", narrow);
  EXPECT_TRUE(stream.next(2).text_of_invalid.empty());
  EXPECT_THAT(stream.next(2).text_of_invalid, ElementsAre(testing::EndsWith("/columns/x[2]: 3")));
}

}  // namespace
}  // namespace hiple
