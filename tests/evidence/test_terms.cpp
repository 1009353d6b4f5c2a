#include <gtest/gtest.h>

#include "base/date.hpp"
#include "evidence_sample.hpp"

namespace hiple::evidence {
namespace {

Value read(const char* about, const char* value, const char* unit = "") {
  const Terms terms = sample_terms();
  const ColumnSchema* subject = terms.find(about);
  EXPECT_NE(subject, nullptr) << about;
  return read_value(*subject, value, unit);
}

TEST(Terms, KnowInputColumnsAndQuestions) {
  const Terms terms = sample_terms();
  EXPECT_EQ(terms.find("TSH")->unit, "mU/L");
  EXPECT_EQ(terms.find("state")->values, (std::vector<std::string>{"hyper", "hypo", "none"}));
  EXPECT_EQ(terms.find("TSHH"), nullptr);
  EXPECT_EQ(terms.why_unknown("TSHH").remedy, "did you mean \"TSH\"?");
  EXPECT_EQ(terms.why_unknown("grade").why, "its role in the schema is \"label\"");
  EXPECT_EQ(terms.why_unknown("record").why, "its role in the schema is \"id\"");
}

TEST(Terms, ANameOfAColumnAndAQuestionMeansNeither) {
  EXPECT_EQ(sample_terms().find("both"), nullptr);
  EXPECT_EQ(sample_terms().why_unknown("both").why, "it is the name of an input column and of a question");
}

TEST(ReadValue, ReadsEveryTypeInTheUnitOfTheSchema) {
  EXPECT_EQ(read("TSH", "7.2", "mU/L").number, 7.2);
  EXPECT_DOUBLE_EQ(*read("TSH", "7200", "uU/L").number, 7.2);
  EXPECT_EQ(read("count", "7").number, 7);
  EXPECT_EQ(read("torque", "2.5", "N.m").number, 2500);
  EXPECT_EQ(read("sex", "M").number, 1);
  EXPECT_EQ(read("sick", "true").number, 1);
  EXPECT_EQ(read("sick", "0").number, 0);
  EXPECT_EQ(read("seen", "2026-01-31").number, *parse_date("2026-01-31"));
  EXPECT_EQ(read("share", "0.5").number, 0.5);
  EXPECT_EQ(read("state", "hypo").number, 1);
}

TEST(ReadValue, RefusesWhatCannotBe) {
  struct Wrong {
    const char *about, *value, *unit, *what;
    bool of_unit;
  };
  for (const Wrong& wrong : std::initializer_list<Wrong>{
           {"TSH", "7.2", "", "a value of TSH without a unit", true},
           {"TSH", "7.2", "mmol/L", "the unit mmol/L cannot be converted to mU/L", true},
           {"TSH", "7.2", "MU/l.", "\"MU/l.\" is no unit", true},
           {"share", "0.5", "1", "the unit \"1\"", true},
           {"sex", "F", "mm", "the unit \"mm\"", true},
           {"TSH", "700", "mU/L", "TSH cannot be 700 mU/L", false},
           {"TSH", "0.7", "U/L", "TSH cannot be 700 mU/L", false},
           {"TSH", "high", "mU/L", "TSH cannot be \"high\"", false},
           {"TSH", "nan", "mU/L", "TSH cannot be \"nan\"", false},
           {"TSH", "?", "mU/L", "\"?\" means that TSH is missing", false},
           {"count", "7.5", "", "count cannot be \"7.5\"", false},
           {"count", "007", "", "count cannot be \"007\"", false},
           {"torque", "0.0001", "N.m", "torque cannot be 0.1", false},
           {"sex", "X", "", "sex cannot be \"X\"", false},
           {"sick", "perhaps", "", "sick cannot be \"perhaps\"", false},
           {"seen", "2026-02-30", "", "seen cannot be \"2026-02-30\"", false},
           {"seen", "2027-01-01", "", "seen cannot be 2027-01-01", false},
           {"state", "hypoo", "", "state cannot be \"hypoo\"", false},
       }) {
    const Value value = read(wrong.about, wrong.value, wrong.unit);
    EXPECT_FALSE(value.number) << wrong.about << " " << wrong.value;
    EXPECT_EQ(value.what, wrong.what);
    EXPECT_EQ(value.of_unit, wrong.of_unit) << wrong.what;
  }
  EXPECT_EQ(read("state", "hypoo").remedy, "did you mean \"hypo\"?");
}

TEST(ReadValue, WritesWhatItReads) {
  const Terms terms = sample_terms();
  EXPECT_EQ(value_text(*terms.find("TSH"), 7.2), "7.2 mU/L");
  EXPECT_EQ(value_text(*terms.find("torque"), 2500), "2500 mN.m");
  EXPECT_EQ(value_text(*terms.find("state"), 1), "hypo");
  EXPECT_EQ(value_text(*terms.find("sick"), 1), "true");
  EXPECT_EQ(value_text(*terms.find("seen"), *parse_date("2026-01-31")), "2026-01-31");
}

}  // namespace
}  // namespace hiple::evidence
