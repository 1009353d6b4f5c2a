#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.hpp"
#include "gate/gates_config.hpp"
#include "temporary_folder.hpp"

namespace hiple::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GatesConfigTest : public testing::Test {
 protected:
  GatesConfig load(const std::string& text) {
    write_file(folder_.path() / "gates.yaml", text);
    return load_gates(folder_.path() / "gates.yaml");
  }
  template <class Action>
  std::string refusal(Action action) {
    try {
      action();
    } catch (const InputError& error) {
      std::string all;
      for (const Problem& problem : error.problems()) all += problem.text().substr(folder_.path().string().size() + 1) + "\n";
      return all;
    }
    return "accepted";
  }
  std::string load_refusal(const std::string& text) {
    return refusal([&] { load(text); });
  }
  std::string check_refusal(const std::string& text) {
    const GatesConfig config = load(text);
    return refusal([&] { check_gates(config, schema(), context()); });
  }
  static Schema schema() {
    Schema schema;
    schema.columns.resize(4);
    schema.columns[0].name = "state_truth";
    schema.columns[0].type = ColumnType::category;
    schema.columns[0].role = ColumnRole::label;
    schema.columns[0].values = {"none", "hyper"};
    schema.columns[1] = schema.columns[0];
    schema.columns[1].name = "letter";
    schema.columns[1].values = {"A", "-"};
    schema.columns[2].name = "failed";
    schema.columns[2].type = ColumnType::boolean;
    schema.columns[2].role = ColumnRole::label;
    schema.columns[3].name = "TSH";
    return schema;
  }
  static GatesContext context() { return {{"failure", "state"}, {{"failure", "none"}, {"hyper", "none"}}, {"e1", "e2"}}; }
  TemporaryFolder folder_;
};

TEST_F(GatesConfigTest, Loads) {
  const GatesConfig config = load(R"(gates: 1
truth:
  state: {column: state_truth, also: letter, findings: {A: hyper, "-": none}}
  failure: {column: failed, findings: {"true": failure, "false": none}}
needed: {state: e1, state.hyper: [e2, e1, e2], failure: []}
thresholds: {cbr: 0.9, coverage: 0.5}
)");
  ASSERT_EQ(config.truth.size(), 2U);
  EXPECT_EQ(config.truth[0].question, "failure");
  EXPECT_EQ(config.truth[1].also, "letter");
  EXPECT_EQ(config.truth[1].findings.at("A"), "hyper");
  EXPECT_THAT(config.needed.at("state"), ElementsAre("e1"));
  EXPECT_THAT(config.needed.at("state.hyper"), ElementsAre("e1", "e2"));
  EXPECT_EQ(config.thresholds.cbr, 0.9);
  EXPECT_EQ(config.thresholds.cmr_silent, 0.01);
  EXPECT_EQ(config.thresholds.coverage, 0.5);
  EXPECT_EQ(config.thresholds.found, std::nullopt);
}

TEST_F(GatesConfigTest, CanonicalTextKnowsContentNotLayout) {
  const auto text = [&](const std::string& yaml) { return load(yaml).canonical(); };
  const std::string one = text("gates: 1\ntruth: {a: {column: x}, b: {column: y}}\nneeded: {a: [p, q], b: p}\n");
  EXPECT_EQ(one, text("# c\nneeded:\n  b: [p]\n  a: [q, p]\ntruth:\n  b: {column: y}\n  a: {column: x}\ngates: 1\n"));
  EXPECT_NE(one, text("gates: 1\ntruth: {a: {column: x}, b: {column: y}}\nneeded: {a: [p], b: p}\n"));
  EXPECT_NE(one, text("gates: 1\ntruth: {a: {column: x}, b: {column: y}}\nneeded: {a: [p, q], b: p}\nthresholds: {cbr: 0.9}\n"));
}

TEST_F(GatesConfigTest, LoadsWhatIsAnnotatedAndWaived) {
  const GatesConfig config = load(R"(gates: 1
truth: {state: {column: state_truth}}
needed_columns: {e1: failed}
home: {column: letter, engines: {A: [e2, e1], "-": []}}
cluster: TSH
thresholds: {not_worse: 0.02}
waivers:
  - {boundary: pooled, by: J. Doe, date: 2026-11-30}
  - {boundary: e1 -> e2, by: J. Doe, date: 2026-11-30, because: few}
)");
  EXPECT_EQ(config.needed_columns.at("e1"), "failed");
  EXPECT_THAT(config.home.engines.at("A"), ElementsAre("e1", "e2"));
  EXPECT_THAT(config.home.engines.at("-"), ElementsAre());
  EXPECT_EQ(config.thresholds.not_worse, 0.02);
  ASSERT_EQ(config.waivers.size(), 2U);
  EXPECT_EQ(config.waivers[0].boundary, "e1 -> e2");
  EXPECT_EQ(config.waivers[0].because, "few");
  EXPECT_THAT(config.columns(), ElementsAre("TSH", "failed", "letter", "state_truth"));
  const std::string plain = load("gates: 1\ntruth: {state: {column: state_truth}}\n").canonical();
  EXPECT_THAT(plain, testing::Not(HasSubstr("cluster"))) << "what is not said does not change the hash";
  EXPECT_NE(config.canonical(), plain);
}

TEST_F(GatesConfigTest, RefusesThresholdsThatNothingCanProveOrEverythingPasses) {
  const std::string all = load_refusal(
      "gates: 1\ntruth: {a: {column: x}}\nthresholds: {cbr: 1, cmr_silent: 0, cmr_strict: 0, over_triage: 0, found: 1,\n"
      "  coverage: 1, cost: 1, not_worse: 0}\n");
  for (const char* key : {"cbr", "cmr_silent", "cmr_strict", "over_triage", "found", "coverage", "not_worse"})
    EXPECT_THAT(all, HasSubstr("no run can pass \"" + std::string(key) + "\": no number of cases can prove it"));
  EXPECT_THAT(all, HasSubstr("gates.yaml:4:22: every run passes \"cost\""));
}

TEST_F(GatesConfigTest, RefusesWhatIsWrongInTheFile) {
  const std::string all =
      load_refusal("gates: 2\ntruth: {a: {colum: x}}\nneeded: [a]\nthresholds: {cmr: 0.1, cbr: 1.5, cost: no}\n");
  EXPECT_THAT(all, HasSubstr("gates.yaml:1:8: \"gates\" of the gates is 2: it must be 1"));
  EXPECT_THAT(all, HasSubstr("unknown key \"colum\" in the truth of a (did you mean \"column\"?)"));
  EXPECT_THAT(all, HasSubstr("lacks the key \"column\""));
  EXPECT_THAT(all, HasSubstr("gates.yaml:3:9: \"needed\" must be a map"));
  EXPECT_THAT(all, HasSubstr("unknown key \"cmr\" in thresholds"));
  EXPECT_THAT(all, HasSubstr("\"cbr\" of thresholds is 1.5: it must be from 0 to 1"));
  EXPECT_THAT(all, HasSubstr("\"cost\" of thresholds must be a number"));
  EXPECT_THAT(load_refusal("gates: 1\n"), HasSubstr("lacks the key \"truth\""));
  EXPECT_THAT(load_refusal("gates: 1\ntruth: {}\n"), HasSubstr("must be a map of questions"));
}

TEST_F(GatesConfigTest, ChecksNamesAgainstSchemaLawAndRun) {
  EXPECT_EQ(check_refusal("gates: 1\ntruth: {state: {column: state_truth}}\nneeded: {state.hyper: e1}\n"), "accepted");
  EXPECT_EQ(check_refusal("gates: 1\ntruth: {failure: {column: failed, findings: {'true': failure, 'false': none}}}\n"),
            "accepted");
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {sate: {column: state_truth}}\n"),
              HasSubstr("gates.yaml:2:9: \"sate\" is no question of the law (did you mean \"state\"?)"));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: state_thruth}}\n"),
              HasSubstr("gates.yaml:2:25: the schema has no column \"state_thruth\" (did you mean \"state_truth\"?)"));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: letter}}\n"),
              HasSubstr("the value \"A\" of \"letter\" is no finding"));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: failed}}\n"), HasSubstr("the value \"true\""));
  const std::string input = check_refusal("gates: 1\ntruth: {state: {column: TSH}}\n");
  EXPECT_THAT(input, HasSubstr("\"TSH\" has the role input"));
  EXPECT_THAT(input, HasSubstr("\"TSH\" has the type real"));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: letter, findings: {A: hyperr, '-': none, B: none}}}\n"),
              testing::AllOf(HasSubstr("\"hyperr\" is no finding of state"), HasSubstr("\"B\" is no value of \"letter\"")));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: state_truth}}\nneeded: {state.x: e3}\n"),
              testing::AllOf(HasSubstr("\"state.x\" is no finding"), HasSubstr("\"e3\" is no engine of the run")));
  EXPECT_THAT(check_refusal("gates: 1\ntruth: {state: {column: state_truth}}\nneeded: {failure: e1}\n"),
              HasSubstr("\"needed\" says nothing of state"));
}

}  // namespace
}  // namespace hiple::gate
