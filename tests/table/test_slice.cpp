#include "table/table.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

class SliceTest : public TableTest {
 protected:
  std::string hash(std::string_view columns, std::string_view content, std::vector<std::string> names = {"x", "c"},
                   std::vector<std::uint32_t> rows = {0, 1}) {
    return slice_sha256(read_table(file(content), schema(columns)), names, rows);
  }
  static constexpr std::string_view columns_ =
      "  - {name: id, type: integer, role: id}\n  - {name: x, type: real}\n  - {name: y, type: real}\n  - {name: c, type: "
      "category, values: [a, b]}\n";
  static constexpr std::string_view content_ = "id,x,y,c\n1,0.5,1,a\n2,,2,b\n3,4,3,a\n";
};

TEST_F(SliceTest, DependsOnTheNamedColumnsAndRowsOnly) {
  const std::string base = hash(columns_, content_);
  EXPECT_EQ(base.size(), 64U);
  EXPECT_EQ(hash(columns_, content_), base);
  EXPECT_EQ(hash(columns_, "id,x,y,c\n3,5,9,b\n2,,9,b\n1,0.5,9,a\n"), base) << "another column, another row, another order";
  EXPECT_NE(hash(columns_, "id,x,y,c\n1,0.5,1,a\n2,0,2,b\n3,4,3,a\n"), base) << "missing is not zero";
  EXPECT_NE(hash(columns_, "id,x,y,c\n1,0.25,1,a\n2,,2,b\n3,4,3,a\n"), base);
  EXPECT_NE(hash(columns_, "id,x,y,c\n7,0.5,1,a\n8,,2,b\n"), base) << "other cases";
  EXPECT_NE(hash(columns_, content_, {"c", "x"}), base);
  EXPECT_NE(hash(columns_, content_, {"x", "c"}, {0, 2}), base);
}

TEST_F(SliceTest, DependsOnTypesAndUnits) {
  const std::string integer = hash("  - {name: x, type: integer}\n", "x\n1\n2\n", {"x"});
  EXPECT_NE(hash("  - {name: x, type: real}\n", "x\n1\n2\n", {"x"}), integer);
  EXPECT_NE(hash("  - {name: x, type: integer, unit: K}\n", "x\n1\n2\n", {"x"}), integer);
}

}  // namespace
}  // namespace hiple
