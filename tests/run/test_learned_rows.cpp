#include <gmock/gmock.h>

#include "run/learned_rows.hpp"
#include "table/table_helpers.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum Part;

class LearnedRowsTest : public TableTest {
 protected:
  /// Seven cases of three years: the first year is trained on, the second is tested, the third is neither. Of the last
  /// one the target is not known.
  LearnedRowsTest() {
    table_ = read_table(file("id,year,x,y\n1,84,1,t\n2,84,9,t\n3,85,1,f\n4,85,9,t\n5,86,1,f\n6,86,,t\n7,86,1,\n"), schema(R"(
  - {name: id, type: integer, role: id}
  - {name: year, type: integer}
  - {name: x, type: real}
  - {name: y, type: boolean, "true": [t], "false": [f], role: label}
)"));
  }
  static EngineConfig engine(const std::string& learns_also, const std::string& cases = "true") {
    EngineConfig engine;
    engine.name = "e";
    engine.target = "y";
    engine.cases = cases;
    engine.learns_also = learns_also;
    engine.learns_also_place = {"run.yaml", 9, 18};
    return engine;
  }
  std::vector<Part> division(const EngineConfig& engine) { return division_for(table_, split_, engine, config_); }

  Table table_;
  RunConfig config_;
  const std::vector<Part> split_ = {train, train, test, test, neither, neither, neither};
};

TEST_F(LearnedRowsTest, WithoutTheConditionTheSplitStands) {
  EXPECT_EQ(division(engine("")), split_);
  EXPECT_THAT(learned_besides(table_, split_, engine(""), config_), IsEmpty());
}

TEST_F(LearnedRowsTest, RowsOfTheTestPartAndOfNeitherAreLearnedFrom) {
  EXPECT_THAT(division(engine("x < 5")), ElementsAre(train, train, train, test, train, neither, neither));
  EXPECT_THAT(learned_besides(table_, split_, engine("x < 5"), config_), ElementsAre(2, 4));
}

TEST_F(LearnedRowsTest, WhatIsNotTheEnginesDataIsNot) {
  EXPECT_THAT(division(engine("year >= 85", "x < 5")), ElementsAre(train, train, train, test, train, neither, neither));
}

TEST_F(LearnedRowsTest, WhatIsUnknownIsNotLearnedFrom) {
  EXPECT_THAT(division(engine("x > 0 and year == 86")), ElementsAre(train, train, test, test, train, neither, neither));
}

TEST_F(LearnedRowsTest, NothingFurtherIsRefusedAtItsPlace) {
  EXPECT_THAT(message_of([&] { division(engine("year == 84")); }),
              HasSubstr("run.yaml:9:18: engine e would learn from no further row"));
  EXPECT_THAT(message_of([&] { division(engine("year == 86", "year < 86")); }), HasSubstr("from no further row"));
}

TEST_F(LearnedRowsTest, TheWholeTestPartIsRefused) {
  EXPECT_THAT(message_of([&] { division(engine("year == 85")); }),
              HasSubstr("run.yaml:9:18: engine e would learn from every row of the test part"));
}

TEST_F(LearnedRowsTest, AGroupIsNotTornWhereTheSplitKeepsIt) {
  config_.data.split.group = "year";
  EXPECT_THAT(message_of([&] { division(engine("x < 5")); }),
              HasSubstr("run.yaml:9:18: engine e would be tested by case 4 and learn from others of its year"));
  EXPECT_THAT(division(engine("year == 86")), ElementsAre(train, train, test, test, train, train, neither));
  config_.data.split.column = "year";  // then the split itself tears groups
  EXPECT_THAT(division(engine("x < 5")), ElementsAre(train, train, train, test, train, neither, neither));
}

TEST_F(LearnedRowsTest, LabelsCannotBeReadAndNamesMustBeKnown) {
  EXPECT_THAT(message_of([&] { division(engine("y")); }), HasSubstr("run.yaml:9:18"));
  EXPECT_THAT(message_of([&] { division(engine("yaer == 85")); }), HasSubstr("year"));
}

TEST_F(LearnedRowsTest, WhatAnyEngineLearnsTestsNobody) {
  config_.engines = {engine("x < 5"), engine(""), engine("year == 86")};
  std::vector<Part> parts = split_;
  withhold_learned(table_, config_, parts);
  EXPECT_THAT(parts, ElementsAre(train, train, neither, test, neither, neither, neither));
}

}  // namespace
}  // namespace hiple
