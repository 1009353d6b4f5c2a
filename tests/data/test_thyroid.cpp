#include <gmock/gmock.h>

#include <map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "data/real_data.hpp"
#include "data/thyroid.hpp"
#include "table/cell_reader.hpp"
#include "table/table.hpp"
#include "temporary_folder.hpp"

namespace hiple::data {
namespace {

Schema configured_schema() {
  return load_schema(std::filesystem::path(HIPLE_SOURCE_DIR) / "configs" / "thyroid" / "schema.yaml");
}

/// How often each value of a category occurs; "?" counts the missing cells.
std::map<std::string, int> counts(const Table& table, const std::string& name) {
  std::map<std::string, int> result;
  const ColumnSchema& schema = table.schema.columns[*table.schema.find(name)];
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Column& column = table.column(name);
    ++result[column.cells[row] == Cell::known ? text_of(schema, column, row) : "?"];
  }
  return result;
}

class ThyroidTest : public testing::Test {
 protected:
  std::string refusal(const std::string& content) {
    write_file(folder_.path() / "records.data", content);
    try {
      convert_thyroid(folder_.path() / "records.data", folder_.path() / "cases.csv");
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cases.csv"));
      return error.what();
    }
    return "no InputError";
  }
  TemporaryFolder folder_;
};

const std::string record = "29,F,f,f,f,f,f,f,f,t,f,f,f,f,f,f,t,0.3,f,?,f,?,f,?,f,?,f,?,other,";

TEST_F(ThyroidTest, ConvertsARecordAsItIs) {
  write_file(folder_.path() / "records.data", record + "GK[840801013]\n" + record + "C|I[840801014]\n");
  EXPECT_EQ(convert_thyroid(folder_.path() / "records.data", folder_.path() / "cases.csv"), 2U);
  const std::string text = read_file(folder_.path() / "cases.csv");
  EXPECT_THAT(text,
              testing::HasSubstr("\n840801013,1984,29,F,f,f,f,f,f,f,f,t,f,f,f,f,f,f,t,0.3,f,?,f,?,f,?,f,?,f,?,other,GK,none,"
                                 "compensated_hypothyroid,compensated_hypothyroid,,none,,non_thyroidal,,none,,none,,none,\n"));
  const Table table = read_table(folder_.path() / "cases.csv", configured_schema());
  EXPECT_THAT(table.case_id, testing::ElementsAre(840801013U, 840801014U));
  EXPECT_EQ(table.column("T3").cells[0], Cell::missing);
  EXPECT_EQ(table.column("TSH").number(0), 0.3);
  EXPECT_EQ(counts(table, "state_also"), (std::map<std::string, int>{{"?", 1}, {"toxic_goitre", 1}}));
}

TEST_F(ThyroidTest, RefusesWithPlaces) {
  const std::string text = refusal("1,2,3\n" + record + "A[840801013]\n" + record + "X[840801014]\n" + record + "-[840801013]\n");
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("records.data:1:1: a record of 3 fields"),
                                   testing::HasSubstr("records.data:3:1: the diagnosis holds \"X\""),
                                   testing::HasSubstr("records.data:4:1: record 840801013 stands twice")));
  EXPECT_THAT(refusal(""), testing::HasSubstr("the file is empty"));
}

TEST_F(ThyroidTest, KeepsEveryLetterOfTheRealRecords) {
  const auto source = real_data("thyroid0387/thyroid0387.data");
  if (!source) GTEST_SKIP() << no_real_data;
  EXPECT_EQ(convert_thyroid(*source, folder_.path() / "cases.csv"), 9172U);
  const Table table = read_table(folder_.path() / "cases.csv", configured_schema());
  ASSERT_EQ(table.rows(), 9172U);
  ASSERT_EQ(table.text_of_invalid.size(), 4U) << "four odd ages, kept as they are";
  EXPECT_THAT(table.text_of_invalid[0], testing::HasSubstr(": age "));
  using Counts = std::map<std::string, int>;
  // Records with the letters of a group, truth and the other half of X|Y together (DOMAINS.md): 241, 667, 414, 573, 355, 34, 282.
  EXPECT_EQ(counts(table, "hyper"),
            (Counts{{"none", 8944}, {"hyperthyroid", 193}, {"t3_toxic", 21}, {"toxic_goitre", 6}, {"secondary_toxic", 8}}));
  EXPECT_EQ(counts(table, "hypo"),
            (Counts{{"none", 8513}, {"hypothyroid", 1}, {"primary_hypothyroid", 239}, {"compensated_hypothyroid", 419}}));
  EXPECT_EQ(counts(table, "state_also"),
            (Counts{{"?", 9151}, {"toxic_goitre", 12}, {"secondary_toxic", 1}, {"secondary_hypothyroid", 8}}));
  EXPECT_EQ(counts(table, "binding"), (Counts{{"none", 8758}, {"increased", 371}, {"decreased", 43}}));
  EXPECT_EQ(counts(table, "illness"), (Counts{{"none", 8599}, {"non_thyroidal", 573}}));
  EXPECT_EQ(counts(table, "replacement"), (Counts{{"none", 8817}, {"consistent", 116}, {"under", 129}, {"over", 110}}));
  EXPECT_EQ(counts(table, "treatment"), (Counts{{"none", 9138}, {"antithyroid_drugs", 15}, {"i131", 5}, {"surgery", 14}}));
  EXPECT_EQ(counts(table, "assay"), (Counts{{"none", 8890}, {"discordant", 197}, {"elevated_tbg", 85}}));
  for (const char* question : {"binding", "illness", "replacement", "treatment", "assay"}) {
    EXPECT_EQ(counts(table, std::string(question) + "_also"), (Counts{{"?", 9172}})) << question;
  }
  int train = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) train += table.column("year").number(row) <= 1985 ? 1 : 0;
  EXPECT_EQ(train, 5580);
}

}  // namespace
}  // namespace hiple::data
