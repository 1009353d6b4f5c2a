#include <gtest/gtest.h>

#include "law/evaluate.hpp"
#include "law/given_case.hpp"
#include "law/model.hpp"

namespace hiple::law {
namespace {

ColumnSchema column(const std::string& name, ColumnType type) {
  ColumnSchema schema;
  schema.name = name;
  schema.type = type;
  return schema;
}

Law law_of_all_types() {
  Schema schema;
  schema.columns = {column("x", ColumnType::real), column("n", ColumnType::integer), column("kind", ColumnType::category),
                    column("on", ColumnType::boolean), column("born", ColumnType::date)};
  schema.columns[0].low = 0;
  schema.columns[0].high = 10;
  schema.columns[2].values = {"red", "missing"};
  return Law::parse(
      "law: 1\nname: t\nquestions: [{name: q, findings: [a, b]}]\nrules:\n"
      "  - {id: A, then: q.a, when: 'x > 1 and n > 1 and kind == \"red\" and on and born > \"2020-01-01\" and e.label == "
      "\"p\"'}\n",
      "law.yaml", schema, {{"e", {"none", "p", "q"}}, {"r", {}}}, 20000);
}

std::optional<GivenCase> read(const Law& law, const std::string& text, std::string* problems = nullptr) {
  const yaml::Node node = yaml::parse(text, "case.yaml");
  Problems found;
  auto given = read_given_case(law.model(), node, found);
  for (const Problem& problem : found.list())
    if (problems != nullptr) *problems += problem.text() + "\n";
  return given;
}

TEST(GivenCase, IsWrittenAsItWasRead) {
  const Law law = law_of_all_types();
  const std::vector<std::string> texts = {
      "{born: 2021-02-03, kind: red, n: 7, on: true, x: 0.1, e: {none: 0.25, p: 0.75}, r: {value: 2.5, typicality: 0.5}}",
      "{born: null, kind: \"missing\", n: null, on: null, x: null, e: abstained, r: unavailable}",
      "{born: invalid, kind: null, n: -3, on: false, x: 6.000000000000001, e: invalid, r: invalid}",
      "{born: null, kind: null, n: null, on: false, x: null, "
      "e: {label: p, confidence: 0.5, typicality: 0.25, probability: {none: 0.75, p: 0.25}}, "
      "r: {status: abstained, typicality: 0.001}}",
  };
  for (const std::string& text : texts) {
    std::string problems;
    const auto given = read(law, text, &problems);
    ASSERT_TRUE(given) << text << problems;
    EXPECT_EQ(to_yaml(law.model(), *given), text);
  }
}

TEST(GivenCase, WhatIsLeftOutIsMissingOrFalseOrNotAvailable) {
  const Law law = law_of_all_types();
  const auto given = read(law, "{n: 7}");
  ASSERT_TRUE(given);
  EXPECT_EQ(to_yaml(law.model(), *given), "{born: null, kind: null, n: 7, on: false, x: null, e: unavailable, r: unavailable}");
}

TEST(GivenCase, TheLabelIsTheLargestAndTheRestIsShared) {
  const Law law = law_of_all_types();
  const auto given = read(law, "{e: {label: q, confidence: 0.5}}");
  ASSERT_TRUE(given);
  const Judgments& judgments = *given->judgments[0];
  EXPECT_EQ(judgments.label[0], 2);
  EXPECT_EQ(judgments.probability, (std::vector<float>{0.25F, 0.25F, 0.5F}));
  const auto largest = read(law, "{e: {p: 0.6, none: 0.4}}");
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->judgments[0]->label[0], 1);
  EXPECT_EQ(largest->judgments[0]->confidence[0], 0.6F);
}

TEST(GivenCase, EveryMistakeIsToldAtItsPlace) {
  const Law law = law_of_all_types();
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"7", "case.yaml:1:1: a case must be a map"},
      {"{xx: 1}", "case.yaml:1:2: \"xx\" is neither an input column nor an engine (did you mean \"x\"?)"},
      {"{x: high}", "case.yaml:1:5: "},
      {"{x: 11}", "x is outside its range: the schema says [0, 10] (write `invalid` if that is meant)"},
      {"{n: 1.5}", "case.yaml:1:5: "},
      {"{on: yes}", "case.yaml:1:6: "},
      {"{kind: rad}", "kind is never \"rad\" (did you mean \"red\"?)"},
      {"{born: 2021-02-30}", "\"2021-02-30\" is no date"},
      {"{e: abstain}", "\"abstain\" is no judgment (did you mean \"abstained\"?)"},
      {"{e: {p: 0.5}}", "the probabilities of e add up to 0.5"},
      {"{e: {P: 1}}", "\"P\" is no class of the engine \"e\" (did you mean \"p\"?)"},
      {"{e: {p: 1.5}}", "a probability is outside [0, 1]"},
      {"{e: [p]}", "the judgment of e must be a map or a word"},
      {"{e: {label: p, confidens: 1}}", "did you mean \"confidence\"?"},
      {"{r: {typicality: 1}}", "lacks the key \"value\""},
  };
  for (const auto& [text, wanted] : mistakes) {
    std::string problems;
    EXPECT_FALSE(read(law, text, &problems)) << text;
    EXPECT_NE(problems.find(wanted), std::string::npos) << text << ": " << problems << "\nwanted " << wanted;
  }
}

TEST(GivenCase, TheLoaderChecksTheExamplesOfRulesAndLaws) {
  Schema schema;
  schema.columns = {column("x", ColumnType::real)};
  const auto problem = [&](const std::string& entry) {
    try {
      Law::parse("law: 1\nname: t\nquestions: [{name: q, findings: [a, b]}]\n" + entry, "law.yaml", schema, {}, 0);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(
      problem("rules: [{id: A, when: 'x > 1', then: q.a, tests: {fires: [{y: 1}]}}]").find("law.yaml:4:60: \"y\" is neither"),
      std::string::npos);
  EXPECT_NE(problem("laws: [{id: A, when: 'x > 1', forbid: q.a, tests: {defeated: [{x: 1}]}}]").find("unknown key \"defeated\""),
            std::string::npos);
  EXPECT_EQ(problem("laws: [{id: A, when: 'x > 1', forbid: q.a, tests: {fires: [{x: 2}]}}]"), "accepted");
}

}  // namespace
}  // namespace hiple::law
