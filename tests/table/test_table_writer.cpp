#include <gmock/gmock.h>

#include "table/table_helpers.hpp"
#include "table/table_writer.hpp"

namespace hiple {
namespace {

using TableWriterTest = TableTest;

constexpr std::string_view columns = R"(
  - {name: id, type: integer, role: id}
  - {name: x, type: real}
  - {name: text, type: category, values: ["a,b", "say \"c\""]}
  - {name: yes, type: boolean, "true": [t], "false": [f]}
  - {name: day, type: date}
)";
constexpr std::string_view content = "id,x,text,yes,day\n1,0.1,\"a,b\",t,2020-02-29\n2,,\"say \"\"c\"\"\",f,\n3,1e-300,,,\n";

TEST_F(TableWriterTest, CsvComesOutAsItWentIn) {
  const Schema description = schema(columns);
  const Table table = read_table(file(content), description);
  const auto path = folder_.path() / "out.csv";
  const auto writer = write_csv_table(path, description);
  writer->append(table);
  EXPECT_FALSE(std::filesystem::exists(path)) << "nothing is visible before it is whole";
  writer->finish();
  EXPECT_EQ(read_file(path), content);
}

TEST_F(TableWriterTest, PortionsMakeOneTable) {
  const Schema description = schema(columns);
  const Table first = read_table(file(content), description);
  const Table second = read_table(file("id,x,text,yes,day\n10,7,,,\n"), description);
  const auto path = folder_.path() / "out.h5";
  const auto writer = write_h5_table(path, description);
  writer->append(first);
  writer->append(second);
  writer->finish();
  const Table table = read_table(path, description);
  EXPECT_THAT(table.case_id, testing::ElementsAre(1U, 2U, 3U, 10U));
  EXPECT_EQ(table.column("x").number(3), 7.0);
}

TEST_F(TableWriterTest, RefusesCasesThatDoNotAscend) {
  const Schema description = schema(columns);
  const Table table = read_table(file(content), description);
  const auto writer = write_h5_table(folder_.path() / "out.h5", description);
  writer->append(table);
  EXPECT_THROW(writer->append(table), Error);
}

TEST_F(TableWriterTest, WithoutFinishNothingStays) {
  const Schema description = schema(columns);
  write_csv_table(folder_.path() / "out.csv", description).reset();
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 1U) << "the schema only";
}

TEST_F(TableWriterTest, AnInvalidCellHasNoText) {
  const Schema description = schema("  - {name: x, type: real, range: [0, 1]}\n");
  const Table table = read_table(file("x\n2\n"), description);
  EXPECT_THROW(write_csv_table(folder_.path() / "out.csv", description)->append(table), Error);
}

TEST_F(TableWriterTest, ALoneMissingFieldIsNoBlankLine) {
  const Schema description = schema("  - {name: x, type: real}\n");
  const Table table = read_table(file("x\n\"\"\n1\n"), description);
  const auto path = folder_.path() / "out.csv";
  const auto writer = write_csv_table(path, description);
  EXPECT_THROW(writer->append(Table{}), Error);
  writer->append(table);
  writer->finish();
  EXPECT_EQ(read_table(path, description).column("x").cells, table.column("x").cells);
}

}  // namespace
}  // namespace hiple
