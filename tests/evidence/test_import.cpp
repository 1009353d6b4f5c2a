#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "evidence/import.hpp"
#include "evidence_sample.hpp"
#include "temporary_folder.hpp"

namespace hiple::evidence {
namespace {

const std::string cases_header = "case,about,value,unit,source,date,reliability\n";
const std::string rules_header = "rule,cases,held,source,date,reliability\n";

class ImportFile : public testing::Test {
 protected:
  Import read(const std::string& text) {
    write_file(path_, text);
    return read_import(path_, {terms_, ids_, *parse_date("2026-06-30")}, problems_);
  }
  /// Problems without the folder.
  std::vector<std::string> refusals(const std::string& text) {
    problems_ = {};
    try {
      read(text);
    } catch (const InputError& error) {
      problems_.add(error);
    }
    std::vector<std::string> texts;
    for (const Problem& problem : problems_.list()) texts.push_back(problem.text().substr(folder_.path().string().size() + 1));
    return texts;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "labs.csv";
  Terms terms_ = sample_terms();
  std::vector<std::uint64_t> ids_ = {3, 7, 9};
  Problems problems_;
};

TEST_F(ImportFile, ReadsRecordsAboutCases) {
  const std::string text = cases_header + "7,TSH,7.2,mU/L,north,2026-01-31,0.9\n" + "3,state,hypo,,\"lee, may\",2026-06-30,1\n" +
                           "9,state,,,north,2026-01-01,1\n";
  const Import import = read(text);
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(import.file, "labs.csv");
  EXPECT_EQ(import.sha256, sha256(text));
  ASSERT_EQ(import.cases.size(), 3U);
  EXPECT_EQ(import.cases[0], (CaseRecord{7, "TSH", "7.2", "mU/L", "north", *parse_date("2026-01-31"), 0.9, 2}));
  EXPECT_EQ(import.cases[1], (CaseRecord{3, "state", "hypo", "", "lee, may", *parse_date("2026-06-30"), 1, 3}));
  EXPECT_EQ(import.cases[2].value, "");
}

TEST_F(ImportFile, ReadsColumnsInAnyOrder) {
  const Import import = read("reliability,date,source,unit,value,about,case\n1,2026-01-01,north,,M,sex,9\n");
  ASSERT_EQ(import.cases.size(), 1U);
  EXPECT_EQ(import.cases[0], (CaseRecord{9, "sex", "M", "", "north", *parse_date("2026-01-01"), 1, 2}));
}

TEST_F(ImportFile, ReadsRecordsAboutRules) {
  const Import import = read(rules_header + "F-1,120,113,registry,2026-01-15,1\nL-1,5,5,registry,2026-01-15,0.5\n");
  EXPECT_TRUE(problems_.empty());
  ASSERT_EQ(import.rules.size(), 2U);
  EXPECT_EQ(import.rules[0], (RuleRecord{"F-1", 120, 113, "registry", *parse_date("2026-01-15"), 1, 2}));
}

TEST_F(ImportFile, TellsEveryMistakeAtItsPlace) {
  EXPECT_THAT(
      refusals(cases_header + "8,TSH,7.2,mU/L,north,2026-01-31,0.9\n" + "7,TSHH,7.2,mU/L,north,2026-01-31,0.9\n" +
               "7,TSH,7.2,mmol/L,north,2026-01-31,0.9\n" + "7,state,hypoo,,north,2026-07-01,0\n" + "-7,,1,,,today,\n"),
      testing::ElementsAre(
          "labs.csv:2:1: there is no case 8: the table's cases are numbered from 3 to 9 (evidence is about cases of the run's "
          "table)",
          "labs.csv:3:3: evidence about \"TSHH\": it is neither an input column nor a question of the law (did you mean "
          "\"TSH\"?)",
          "labs.csv:4:11: the unit mmol/L cannot be converted to mU/L: they do not measure the same (TSH is in mU/L in the "
          "schema)",
          "labs.csv:5:9: state cannot be \"hypoo\" (did you mean \"hypo\"?)",
          "labs.csv:5:22: 2026-07-01 is in the future: the run's day is 2026-06-30 (as_of in run.yaml) (correct the date, or set "
          "as_of to the day that the run speaks of)",
          "labs.csv:5:33: a reliability of \"0\": it is a number over 0 and at most 1 (write 1 where the source is beyond doubt)",
          "labs.csv:6:1: the case id \"-7\" is no number: it is a whole number, without a sign or leading zeros (correct it)",
          "labs.csv:6:4: it is not said what the evidence is about: it is neither an input column nor a question of the law (one "
          "of: "
          "TSH, count, seen, sex, share, sick, state, torque)",
          "labs.csv:6:8: the source is missing: evidence without a source cannot be weighed against another (write who says so)",
          "labs.csv:6:9: \"today\" is no date (write it as 2026-01-31)",
          "labs.csv:6:15: the reliability is missing: it is a number over 0 and at most 1 (write 1 where the source is beyond "
          "doubt)"));
  EXPECT_THAT(refusals(rules_header +
                       "F-9,120,113,registry,2026-01-15,1\nF-1,0,0,registry,2026-01-15,1\nF-1,3,4,registry,2026-01-15,2\n"),
              testing::ElementsAre(
                  "labs.csv:2:1: the law has no rule or law \"F-9\" (did you mean \"F-1\"?)",
                  "labs.csv:3:5: a study of no cases: it says nothing of the rule (leave the row out)",
                  "labs.csv:4:7: 4 of 3 cases: it cannot hold in more cases than there are (correct one of the numbers)",
                  "labs.csv:4:29: a reliability of \"2\": it is a number over 0 and at most 1 (write 1 where the source is "
                  "beyond doubt)"));
}

TEST_F(ImportFile, RefusesOtherFiles) {
  EXPECT_THAT(refusals(""), testing::ElementsAre(testing::StartsWith("labs.csv: the file is empty")));
  EXPECT_THAT(refusals("case,abuot,value,unit,source,date,reliability\n"),
              testing::ElementsAre("labs.csv:1:6: no column \"abuot\": this is evidence about cases (did you mean \"about\"?)",
                                   testing::StartsWith("labs.csv:1:46: the column \"about\" is missing")));
  EXPECT_THAT(refusals(cases_header.substr(0, cases_header.size() - 1) + ",case\n"),
              testing::ElementsAre("labs.csv:1:47: the column \"case\" stands twice"));
  EXPECT_THAT(refusals(cases_header + "7,TSH,7.2\n"),
              testing::ElementsAre(testing::StartsWith("labs.csv:2:10: a record of 3 fields")));
  EXPECT_THAT(refusals(cases_header + "7,TSH,\"7.2\n"), testing::ElementsAre(testing::HasSubstr("a quote that is never closed")));
  std::string many = cases_header;
  for (int i = 0; i < 30; ++i) many += "8,TSH,7.2,mU/L,north,2026-01-31,0.9\n";
  EXPECT_THAT(refusals(many), testing::Contains(testing::HasSubstr("reading stopped after 20 problems")));
}

TEST_F(ImportFile, FindsWhatIsThereAlready) {
  Import import =
      read(cases_header +
           "7,TSH,7.2,mU/L,north,2026-01-31,0.9\n7,TSH,7.2,mU/L,north,2026-01-31,0.9\n7,TSH,7.2,mU/L,north,2026-01-31,0.8\n");
  std::vector<Import> imports = {import};
  const auto duplicates = remove_duplicates(Store(), imports);
  ASSERT_EQ(duplicates.size(), 1U);
  EXPECT_EQ(duplicates[0].origin, "labs.csv:3");
  EXPECT_EQ(duplicates[0].first, "labs.csv:2");
  EXPECT_EQ(imports[0].cases.size(), 2U);
  Store store;
  append(store, {"", imports[0].file, "", 0, 0, {}}, imports[0].cases, {});
  imports = {import};
  EXPECT_EQ(remove_duplicates(store, imports).size(), 3U);
  EXPECT_TRUE(imports[0].cases.empty());
}

}  // namespace
}  // namespace hiple::evidence
