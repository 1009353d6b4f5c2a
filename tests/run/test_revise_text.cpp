#include <gtest/gtest.h>

#include "run/revise_text.hpp"

namespace hiple {
namespace {

constexpr const char* law = R"(# The law of the sample.
law: 1
name: sample
schema: schema.yaml
questions: [{name: q, findings: [none, X, Y]}]
rules:
  # Above all others.
  - id: R-2
    when: 'b > 2'   # two is enough
    then: q.Y
    tests: {fires: [{b: 3}], silent: [{b: 1}]}
  # The first one.
  - {id: R-1, when: 'a > 1', then: q.X}
)";

TEST(LawText, ChangesAKeyAndLeavesTheRest) {
  LawText text(law, "law.yaml");
  text.set("R-2", "when", LawText::condition("b > 2.5"));
  text.set("R-2", "version", "2");
  text.set("R-1", "status", "retired");
  EXPECT_NE(text.text().find("'b > 2.5'"), std::string::npos) << text.text();
  EXPECT_EQ(text.text().find("'b > 2'"), std::string::npos);
  for (const char* comment : {"# The law of the sample.", "# Above all others.", "# The first one.", "'b > 2.5' # two is enough"})
    EXPECT_NE(text.text().find(comment), std::string::npos) << comment << text.text();
  ASSERT_NE(text.find("R-2", "version"), nullptr);
  EXPECT_EQ(text.find("R-2", "version")->text, "2");
  EXPECT_EQ(text.find("R-1", "status")->text, "retired");
  EXPECT_EQ(text.find("R-1", "when")->text, "a > 1");
  EXPECT_EQ(text.find("R-2", "tests")->entries.size(), 2U);
}

TEST(LawText, AddsARuleBehindTheOthers) {
  LawText text(law, "law.yaml");
  text.add_rule({{"id", LawText::text("R-1-EXCEPT-1")},
                 {"when", LawText::condition("a > 1 and kind == \"it's\"")},
                 {"then", LawText::text("q.none")},
                 {"overrides", "[R-1]"}});
  EXPECT_EQ(text.find("R-1-EXCEPT-1", "when")->text, "a > 1 and kind == \"it's\"");
  EXPECT_EQ(text.find("R-1-EXCEPT-1", "overrides")->items.size(), 1U);
  EXPECT_EQ(text.find("R-2", "then")->text, "q.Y");
}

TEST(LawText, ChangesKeysOfTheWholeLaw) {
  LawText text(law, "law.yaml");
  text.set_top("name", "other");
  text.remove_top("schema");
  text.remove_top("schema");  // it is gone already
  EXPECT_EQ(text.find_top("schema"), nullptr);
  EXPECT_EQ(text.find_top("name")->text, "other");
  EXPECT_EQ(text.find("R-1", "then")->text, "q.X");
}

TEST(LawText, KnowsOnlyRulesThatAreThere) {
  LawText text(law, "law.yaml");
  EXPECT_THROW(text.set("R-3", "version", "2"), Error);
  EXPECT_THROW(text.set_top("route", "{}"), Error);
}

}  // namespace
}  // namespace hiple
