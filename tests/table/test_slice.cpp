#include "base/hash.hpp"
#include "table/slice.hpp"
#include "table/table_helpers.hpp"
#include "table/table_stream.hpp"

namespace hiple {
namespace {

class SliceTest : public TableTest {
 protected:
  std::string hash(std::string_view columns, std::string_view content, std::vector<std::string> names = {"x", "c"}) {
    return slice_sha256(read_table(file(content), schema(columns)), names);
  }
  static constexpr std::string_view columns_ =
      "  - {name: id, type: integer, role: id}\n  - {name: x, type: real}\n  - {name: y, type: real}\n  - {name: c, type: "
      "category, values: [a, b]}\n";
  static constexpr std::string_view content_ = "id,x,y,c\n1,0.5,1,a\n2,,2,b\n3,4,3,a\n";
};

TEST_F(SliceTest, DependsOnTheNamedColumnsOnly) {
  const std::string base = hash(columns_, content_);
  EXPECT_EQ(base.size(), 64U);
  EXPECT_EQ(hash(columns_, content_), base);
  EXPECT_EQ(hash(columns_, "id,x,y,c\n3,4,9,a\n2,,9,b\n1,0.5,9,a\n"), base) << "another column, another order";
  EXPECT_NE(hash(columns_, "id,x,y,c\n1,0.5,1,a\n2,0,2,b\n3,4,3,a\n"), base) << "missing is not zero";
  EXPECT_NE(hash(columns_, "id,x,y,c\n1,0.25,1,a\n2,,2,b\n3,4,3,a\n"), base);
  EXPECT_NE(hash(columns_, "id,x,y,c\n7,0.5,1,a\n8,,2,b\n9,4,3,a\n"), base) << "other cases";
  EXPECT_NE(hash(columns_, "id,x,y,c\n1,0.5,1,a\n2,,2,b\n"), base) << "fewer rows";
  EXPECT_NE(hash(columns_, content_, {"c", "x"}), base);
}

TEST_F(SliceTest, DependsOnTypesAndUnits) {
  const std::string integer = hash("  - {name: x, type: integer}\n", "x\n1\n2\n", {"x"});
  EXPECT_NE(hash("  - {name: x, type: real}\n", "x\n1\n2\n", {"x"}), integer);
  EXPECT_NE(hash("  - {name: x, type: integer, unit: K}\n", "x\n1\n2\n", {"x"}), integer);
}

/// What a cell holds that is not known does not matter.
TEST_F(SliceTest, HashesZeroWhereNothingIsKnown) {
  Table table = read_table(file(content_), schema(columns_));
  const std::vector<std::string> names = {"x", "c"};
  const std::string base = slice_sha256(table, names);
  std::get<std::vector<double>>(table.columns[1].values)[1] = 7;
  EXPECT_EQ(slice_sha256(table, names), base);
  table.columns[1].cells[1] = Cell::invalid;
  EXPECT_NE(slice_sha256(table, names), base) << "invalid is not missing";
}

/// The definition in slice.hpp, written down once more.
TEST_F(SliceTest, IsWhatItsDefinitionSays) {
  const auto number = [](std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
  };
  const auto text = [&](const std::string& value) { return number(value.size()) + value; };
  const auto digest = [](const std::string& bytes) {
    const Sha256::Bytes all = Sha256().update(bytes).bytes();
    return std::string(all.begin(), all.end());
  };
  const std::string ids = digest(number(1) + number(2) + number(3));
  const std::string cells = digest(std::string("\0\1\0", 3)), known = digest(std::string(3, '\0'));
  const std::string x = digest(text("x") + text("real") + text("") + number(0) + cells +
                               digest(number(0x3FE0000000000000) + number(0) + number(0x4010000000000000)));
  const std::string c = digest(text("c") + text("category") + text("") + number(2) + text("a") + text("b") + known +
                               digest(std::string("\0\0\0\0\1\0\0\0\0\0\0\0", 12)));
  EXPECT_EQ(hash(columns_, content_), sha256(text("hiple slice 2") + number(2) + number(3) + ids + x + c));
}

TEST_F(SliceTest, PortionsThreadsAndSlicesOfSomeColumnsMakeNoDifference) {
  std::string content = "id,x,y,c\n";
  for (int i = 1; i <= 10000; ++i)
    content += std::to_string(i) + "," + (i % 7 == 0 ? "" : std::to_string(0.5 * i)) + "," + std::to_string(i) +
               (i % 3 == 0 ? ",a\n" : ",b\n");
  const Table table = read_table(file(content), schema(columns_));
  const std::vector<std::string> all = {"x", "y", "c"}, some = {"c", "x"};
  TableStream stream(file(content), schema(columns_));
  SliceHasher hasher(table.schema, all);
  for (Table portion = stream.next(4097); portion.rows() > 0; portion = stream.next(4097)) hasher.append(portion, 2);
  EXPECT_EQ(hasher.slice(all), slice_sha256(table, all));
  EXPECT_EQ(hasher.slice(some), slice_sha256(table, some, 3));
  EXPECT_THROW(hasher.append(table), Error);
  EXPECT_THROW((void)hasher.slice(std::vector<std::string>{"z"}), Error);
  EXPECT_THROW(SliceHasher(table.schema, std::vector<std::string>{"z"}), Error);
}

}  // namespace
}  // namespace hiple
