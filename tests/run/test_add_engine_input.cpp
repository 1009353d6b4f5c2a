#include <gmock/gmock.h>

#include "base/file.hpp"
#include "run/add_engine_input.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* head =
    "hiple: 1\nname: study\nseed: 7\ndata: {table: cases.csv, schema: schema.yaml, split: {test: 0.3}}\nlaw: law.yaml\noutput: "
    "out\nas_of: 2026-11-30\n";

std::string entry(const std::string& name, const std::string& more = "") {
  return "  - name: " + name + "\n    domain: d\n    target: t\n    features: [a, b]\n" + more;
}

class JoiningTest : public testing::Test {
 protected:
  RunConfig load(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    write_file(path, text);
    return load_run_config(path);
  }
  RunConfig held(const std::string& engines = entry("one") + entry("two")) {
    return load("held.yaml", head + std::string("engines:\n") + engines);
  }
  RunConfig wanted(const std::string& engines, const std::string& begin = head) {
    return load("wanted.yaml", begin + "engines:\n" + engines);
  }
  /// What is wrong, with FILE left out.
  std::string problems(const RunConfig& wanted, const std::string& retrain = "") {
    try {
      check_joining(held(), wanted, retrain);
    } catch (const InputError& error) {
      std::string text;
      for (const Problem& problem : error.problems())
        text += problem.text().substr(problem.text().rfind("wanted.yaml") + 11) + "\n";
      return text;
    }
    return {};
  }
  TemporaryFolder folder_;
};

TEST_F(JoiningTest, EnginesJoinInAnyOrderAndWithAnythingOfTheirOwn) {
  const auto joining = check_joining(
      held(),
      wanted(entry("three", "    cases: 'a > 1'\n") + entry("two") + entry("one") + entry("four", "    abstain_below: 0.1\n")),
      "");
  EXPECT_THAT(joining.added, ElementsAre("three", "four"));
  EXPECT_THAT(joining.trained(), ElementsAre("three", "four"));
}

TEST_F(JoiningTest, LawGatesTableAndHowItIsRunMayBeOthers) {
  std::string begin = head;
  begin.replace(begin.find("cases.csv"), 9, "wider.h5");
  begin.replace(begin.find("law.yaml"), 8, "law2.yaml");
  EXPECT_EQ(problems(wanted(entry("one") + entry("two") + entry("three"),
                            begin + "gates: gates.yaml\nrestarts: 5\nintegrate: {judging: on_demand}\n")),
            "");
}

TEST_F(JoiningTest, EverythingElseIsToldWhereItStands) {
  std::string begin = head;
  begin.replace(begin.find("seed: 7"), 7, "seed: 8");
  const std::string text = problems(
      wanted(entry("one", "    abstain_below: 0.5\n") + entry("two", "    train: {epochs: 9}\n") + entry("three"), begin));
  EXPECT_THAT(text, AllOf(HasSubstr(":3:7: seed is 8; in the run it was 7: "),
                          HasSubstr(":13:20: engines.one.abstain_below is 0.5; in the run it was 0.01: "),
                          HasSubstr(":18:21: engines.two.train.epochs is 9; in the run it was 100: ")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST_F(JoiningTest, WhatIsNotWrittenAnyMoreIsToldAtTheNearestPlaceAbove) {
  const auto was = held(entry("one", "    train: {epochs: 9}\n") + entry("two"));
  try {
    check_joining(was, wanted(entry("one") + entry("two") + entry("three")), "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("wanted.yaml:9:5: engines.one.train.epochs is 100; in the run it was 9: "));
  }
}

TEST_F(JoiningTest, EvidenceStaysAsItWas) {
  EXPECT_THAT(problems(wanted(entry("one") + entry("two") + entry("three"), head + std::string("evidence: e.h5\n"))),
              HasSubstr(": evidence.file is "));
}

TEST_F(JoiningTest, NoEngineLeaves) {
  EXPECT_THAT(problems(wanted(entry("two") + entry("three"))), HasSubstr(": engine one is gone: "));
}

TEST_F(JoiningTest, SomethingMustJoin) {
  EXPECT_THAT(problems(wanted(entry("one") + entry("two"))), HasSubstr(": names no engine that the run does not have: "));
}

TEST_F(JoiningTest, OneEngineIsRetrainedByItsEntryAndNothingElseDiffers) {
  const auto joining = check_joining(held(), wanted(entry("one", "    train: {epochs: 9}\n") + entry("two")), "one");
  EXPECT_TRUE(joining.added.empty());
  EXPECT_THAT(joining.trained(), ElementsAre("one"));
  EXPECT_THAT(problems(wanted(entry("one") + entry("two", "    train: {epochs: 9}\n")), "one"),
              HasSubstr("engines.two.train.epochs"));
  EXPECT_THAT(problems(wanted(entry("one") + entry("two") + entry("three")), "one"),
              HasSubstr("engine three is new: only one is retrained"));
  EXPECT_THAT(problems(wanted(entry("one") + entry("two")), "ones"), HasSubstr("the run has no engine ones"));
}

}  // namespace
}  // namespace hiple
