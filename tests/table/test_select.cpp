#include <gmock/gmock.h>

#include "table/select.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SelectTest : public TableTest {
 protected:
  SelectTest()
      : table_(read_table(file("id,TSH,n,sex,sick,seen,hypo\n10,0.5,1,F,t,2020-01-01,F\n11,7,2,M,f,2021-01-01,none\n12,,3,F,,,F\n"
                               "13,900,4,Z,t,2022-01-01,none\n"),
                          schema(R"(
  - {name: id, type: integer, role: id}
  - {name: TSH, type: real, unit: mU/L, range: [0, 600]}
  - {name: n, type: integer}
  - {name: sex, type: category, values: [M, F]}
  - {name: sick, type: boolean, "true": [t], "false": [f]}
  - {name: seen, type: date}
  - {name: hypo, type: category, values: [none, F], role: label}
  - {name: note, role: ignore}
)"))) {}
  std::vector<std::uint32_t> select(const std::string& condition) {
    return select_rows(table_, condition, {"run.yaml", 5, 12}, 0);
  }

  Table table_;
};

TEST_F(SelectTest, TakesTheRowsForWhichTheConditionIsTrue) {
  EXPECT_THAT(select("true"), ElementsAre(0U, 1U, 2U, 3U));
  EXPECT_THAT(select("false"), IsEmpty());
  EXPECT_THAT(select("TSH > 6 [mU/L]"), ElementsAre(1U));
  EXPECT_THAT(select("n >= 2 and n < 4"), ElementsAre(1U, 2U));
  EXPECT_THAT(select("sex == \"F\""), ElementsAre(0U, 2U));
  EXPECT_THAT(select("sick"), ElementsAre(0U, 3U));
}

TEST_F(SelectTest, MissingAndInvalidAreNeitherTrueNorFalse) {
  EXPECT_THAT(select("TSH > 6 or TSH <= 6"), ElementsAre(0U, 1U));
  EXPECT_THAT(select("not sick"), ElementsAre(1U));
  EXPECT_THAT(select("sex != \"F\""), ElementsAre(1U)) << "Z is no listed value";
  EXPECT_THAT(select("known(TSH)"), testing::Contains(1U));
  EXPECT_THAT(select("TSH > 6 or n == 3"), ElementsAre(1U, 2U));
}

TEST_F(SelectTest, LabelsIdsAndIgnoredColumnsCannotBeRead) {
  EXPECT_THAT(message_of([&] { select("n > 1 and hypo == \"F\""); }),
              testing::AllOf(HasSubstr("run.yaml:5:22"), HasSubstr("label")));
  EXPECT_THAT(message_of([&] { select("id > 1"); }), HasSubstr("case id"));
  EXPECT_THAT(message_of([&] { select("note == \"x\""); }), HasSubstr("role is ignore"));
  EXPECT_THAT(message_of([&] { select("TSHH > 1"); }), HasSubstr("TSH"));
}

TEST_F(SelectTest, NamesTheColumnsOfACondition) {
  EXPECT_THAT(columns_read_by(table_.schema, "sick and TSH > 6 or known(n)", {}), ElementsAre("TSH", "n", "sick"));
}

}  // namespace
}  // namespace hiple
