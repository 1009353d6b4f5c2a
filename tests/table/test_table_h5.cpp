#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "h5/h5.hpp"
#include "table/h5_table.hpp"
#include "table/table.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using enum Cell;

constexpr std::string_view mixed = R"(
  - {name: record, type: integer, role: id}
  - {name: TSH, type: real, unit: mU/L, range: [0, 600]}
  - {name: count, type: integer}
  - {name: sex, type: category, values: [F, M]}
  - {name: sick, type: boolean}
  - {name: seen, type: date}
  - {name: note, role: ignore}
)";
constexpr std::string_view content =
    "record,TSH,count,sex,sick,seen,note\n5,0.5,-3,M,1,2020-01-01,x\n2,700,,F,0,,\n9,,9007199254740993,Z,,1969-12-31,\n";

class TableH5Test : public TableTest {
 protected:
  std::filesystem::path write(const Table& table) {
    write_table(folder_.path() / "cases.h5", table);
    return folder_.path() / "cases.h5";
  }
  /// A file with one real column, made by hand.
  std::filesystem::path real_column(std::vector<std::uint64_t> ids, std::vector<double> values, std::vector<std::uint8_t> cells,
                                    const std::string& type = "real", std::uint32_t version = 1) {
    const auto path = folder_.path() / "hand.h5";
    h5::Writer file(path, "hiple table", version);
    file.write<std::uint64_t>("/case_id", ids);
    file.write<double>("/columns/x", values);
    file.attribute("/columns/x", "type", type);
    file.attribute("/columns/x", "unit", std::string());
    file.write<std::uint8_t>("/cells/x", cells);
    file.finish();
    return path;
  }
};

TEST_F(TableH5Test, ReadsBackWhatWasWritten) {
  const Schema description = schema(mixed);
  const Table before = read_table(file(content), description);
  const Table after = read_table(write(before), description);
  EXPECT_EQ(after.case_id, before.case_id);
  EXPECT_THAT(after.case_id, ElementsAre(2U, 5U, 9U));
  ASSERT_EQ(after.columns.size(), before.columns.size());
  for (std::size_t i = 0; i < after.columns.size(); ++i) {
    EXPECT_EQ(after.columns[i].values, before.columns[i].values) << description.columns[i].name;
    EXPECT_EQ(after.columns[i].cells, before.columns[i].cells) << description.columns[i].name;
  }
  EXPECT_THAT(after.column("TSH").cells, ElementsAre(invalid, known, missing));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(after.column("count").values)[2], 9007199254740993)
      << "beyond a double's integers";
}

TEST_F(TableH5Test, KeepsOnlyWantedColumns) {
  const Schema description = schema(mixed);
  const auto path = write(read_table(file(content), description));
  const std::vector<std::string> wanted = {"sex"};
  const Table table = read_table(path, description, wanted);
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_THAT(table.column("sex").cells, ElementsAre(known, known, invalid));
  EXPECT_NO_THROW(check_table_header(path, description));
}

TEST_F(TableH5Test, CategoriesAreMatchedByTextNotByCode) {
  const auto path = write(read_table(file("c\na\nb\nx\n"), schema("  - {name: c, type: category, values: [a, b, x]}\n")));
  const Table table = read_table(path, schema("  - {name: c, type: category, values: [b, new, a]}\n"));
  EXPECT_THAT(table.column("c").cells, ElementsAre(known, known, invalid));
  EXPECT_EQ(table.column("c").number(0), 2.0);
  EXPECT_EQ(table.column("c").number(1), 0.0);
}

TEST_F(TableH5Test, WhatIsNoFiniteNumberOrOutsideItsRangeIsInvalid) {
  const auto path = real_column({4, 3, 2, 1}, {std::nan(""), std::numeric_limits<double>::infinity(), 11, 10}, {0, 0, 0, 0});
  const Table table = read_table(path, schema("  - {name: x, type: real, range: [0, 10]}\n"));
  EXPECT_THAT(table.case_id, ElementsAre(1U, 2U, 3U, 4U)) << "sorted";
  EXPECT_THAT(table.column("x").cells, ElementsAre(known, invalid, invalid, invalid));
  EXPECT_EQ(table.column("x").number(3), 0.0);
  EXPECT_THAT(table.text_of_invalid[2], EndsWith("/columns/x[2]: 11"));
  const Table open = read_table(path, schema("  - {name: x, type: real}\n"));
  EXPECT_THAT(open.column("x").cells, ElementsAre(known, known, invalid, invalid));
}

TEST_F(TableH5Test, RefusesWhatDoesNotFit) {
  const Schema x = schema("  - {name: x, type: real}\n");
  const auto refusal = [&](const std::filesystem::path& path, const Schema& description) {
    return message_of([&] { read_table(path, description); });
  };
  EXPECT_THAT(refusal(real_column({1, 2}, {1}, {0, 0}), x), HasSubstr("not one value a row"));
  EXPECT_THAT(refusal(real_column({1, 2}, {1, 2}, {0}), x), HasSubstr("/cells/x: is not one value a row: the table has 2 rows"));
  EXPECT_THAT(refusal(real_column({1}, {1}, {3}), x), HasSubstr("entry 0 is 3"));
  EXPECT_THAT(refusal(real_column({1}, {1}, {0}, "integer"), x), HasSubstr("the column's type is integer"));
  EXPECT_THAT(refusal(real_column({7, 7}, {1, 2}, {0, 0}), x),
              HasSubstr("case id 7 stands twice: the other one is at hand.h5: /case_id[0]"));
  EXPECT_THAT(refusal(real_column({1}, {1}, {0}, "real", 2), x), HasSubstr("version"));
  EXPECT_THAT(refusal(real_column({1}, {1}, {0}), schema("  - {name: x, type: real, unit: K}\n")),
              HasSubstr("the column's unit is \"\""));
  EXPECT_THAT(refusal(real_column({1}, {1}, {0}), schema("  - {name: y, type: real}\n")),
              testing::AllOf(HasSubstr("\"x\" is not in the schema"), HasSubstr("\"y\" is missing")));
}

TEST_F(TableH5Test, RefusesATruncatedFile) {
  const auto path = real_column({1, 2}, {1, 2}, {0, 0});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THROW(read_table(path, schema("  - {name: x, type: real}\n")), InputError);
}

TEST_F(TableH5Test, CountsRowsBeyond32Bits) {
  const Schema x = schema("  - {name: x, type: real}\n");
  const reading::H5Table table(real_column({1, 2}, {1, 2}, {0, 0}), x, x);
  for (const std::uint64_t rows : {std::uint64_t{1} << 31, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1}) {
    SCOPED_TRACE(rows);
    EXPECT_THROW((void)table.read(0, rows), InputError);
    EXPECT_THROW((void)table.read(rows, 1), InputError);
    EXPECT_THROW((void)table.read_ids(rows, 0), InputError);
  }
  EXPECT_THAT(message_of([&] { (void)table.read(0, std::uint64_t{1} << 32); }), HasSubstr("more than 4294967295 rows"));
}

TEST_F(TableH5Test, ATableWithoutRowsIsFine) {
  const Schema x = schema("  - {name: x, type: real}\n");
  EXPECT_EQ(read_table(write(read_table(file("x\n"), x)), x).rows(), 0U);
}

}  // namespace
}  // namespace hiple
