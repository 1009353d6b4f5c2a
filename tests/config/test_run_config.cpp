#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/date.hpp"
#include "base/file.hpp"
#include "config/run_config.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* minimal = R"(hiple: 1
name: small
as_of: 2026-11-30
data: {table: cases.csv, schema: ../schema.yaml}
engines:
  - {name: hypo, target: state, features: [TSH, FTI]}
law: law.yaml
)";

constexpr const char* series = R"(hiple: 1
name: series
as_of: 2026-11-30
data: {table: cases.csv, schema: schema.yaml}
engines:
  - name: pump
    target: state
    features: [PS1, FS1]
    model:
      type: conv1d
      convolutions: [{channels: 16, kernel: 5, stride: 2}, {channels: 32}]
      pool: max
      hidden: []
law: law.yaml
)";

constexpr const char* full = R"(hiple: 1
name: full
seed: 7
as_of: 2026-11-30
data:
  table: cases.csv
  schema: schema.yaml
  split: {column: year, train: [1984, 1985], test: [1986], group: patient, early_stop: 0.1, calibration: 0.3}
engines:
  - name: hypo
    domain: "hypo \"thyroidism\" é"
    target: state
    features: [TSH, "T 3"]
    cases: "TSH > 4 or sick"
    learns_also: "year == 1986 and age < 50"
    type: mlp
    model: {type: mlp, hidden: [8, 4], activation: gelu, dropout: 0.1, embedding: 3}
    train: {epochs: 5, batch: 16, optimizer: adam, lr: 1e-4, weight_decay: 0, class_weight: balanced, early_stop: 0,
            schedule: cosine, warmup: 10, clip: 1.5, checkpoint_every: 2}
    precision: fp32
    device: cpu
    abstain_below: 1.5
    probabilities: none
  - {name: nti, target: ill, features: [T3]}
isolation: rank
restarts: 5
step_limit: 90s
file_locks: none
time_limit: 2h
law: law.yaml
gates: gates.yaml
evidence: {file: evidence.h5, least_reliability: 0.8}
integrate: {deadline: 15min, lost_after: 2min, quorum: 1, integrators: 1}
output: out/full
)";

class RunConfigTest : public testing::Test {
 protected:
  RunConfig load(const std::string& text) {
    write_file(folder_.path() / "run.yaml", text);
    return load_run_config(folder_.path() / "run.yaml");
  }
  /// Loads `text` with `from` replaced by `to`; the messages, without the folder.
  std::string refusal(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    try {
      load(text);
    } catch (const InputError& error) {
      std::string all;
      for (const Problem& problem : error.problems()) all += problem.text().substr(folder_.path().string().size() + 1) + "\n";
      return all;
    }
    return "accepted";
  }
  TemporaryFolder folder_;
};

TEST_F(RunConfigTest, DefaultsAreFilledIn) {
  const RunConfig config = load(minimal);
  EXPECT_EQ(config.name, "small");
  EXPECT_EQ(config.seed, 0U);
  EXPECT_EQ(config.as_of, parse_date("2026-11-30"));
  EXPECT_EQ(config.data.table, folder_.path() / "cases.csv");
  EXPECT_EQ(config.data.schema, folder_.path().parent_path() / "schema.yaml");
  EXPECT_EQ(config.data.split.test_fraction, 0.3);
  ASSERT_EQ(config.engines.size(), 1U);
  EXPECT_EQ(config.engines[0].domain, "hypo");
  EXPECT_EQ(config.engines[0].cases, "true");
  EXPECT_EQ(config.engines[0].target_place.line, 6U);
  EXPECT_EQ(config.engines[0].target_place.column, 26U);
  ASSERT_EQ(config.engines[0].feature_places.size(), 2U);
  EXPECT_EQ(config.engines[0].feature_places[1].column, 49U);
  EXPECT_EQ(config.output, "runs/small");
  EXPECT_EQ(config.gates, "");
  EXPECT_EQ(config.integrate.deadline, 7200);
  EXPECT_EQ(config.integrate.lost_after, 300);
  EXPECT_EQ(config.file_locks, "required");
}

TEST_F(RunConfigTest, EveryKeyIsRead) {
  const RunConfig config = load(full);
  EXPECT_EQ(config.seed, 7U);
  EXPECT_EQ(config.data.split.column, "year");
  EXPECT_THAT(config.data.split.train, testing::ElementsAre("1984", "1985"));
  EXPECT_THAT(config.data.split.test, testing::ElementsAre("1986"));
  EXPECT_EQ(config.data.split.group, "patient");
  EXPECT_EQ(config.data.split.calibration, 0.3);
  const EngineConfig& engine = config.engines[0];
  EXPECT_EQ(engine.cases, "TSH > 4 or sick");
  EXPECT_EQ(engine.cases_place.line, 14U);
  EXPECT_EQ(engine.cases_place.column, 13U);
  EXPECT_EQ(engine.learns_also, "year == 1986 and age < 50");
  EXPECT_EQ(engine.learns_also_place.line, 15U);
  EXPECT_EQ(engine.learns_also_place.column, 19U);
  EXPECT_EQ(config.engines[1].learns_also, "");
  EXPECT_THAT(engine.model.hidden, testing::ElementsAre(8, 4));
  EXPECT_EQ(engine.model.activation, "gelu");
  EXPECT_EQ(engine.model.embedding, 3);
  EXPECT_EQ(engine.train.learning_rate, 1e-4);
  EXPECT_EQ(engine.train.weight_decay, 0);
  EXPECT_EQ(engine.train.clip, 1.5);
  EXPECT_EQ(engine.train.checkpoint_every, 2);
  EXPECT_EQ(engine.abstain_below, 1.5);
  EXPECT_EQ(engine.probabilities, "none");
  EXPECT_EQ(config.integrate.deadline, 900);
  EXPECT_EQ(config.integrate.lost_after, 120);
  EXPECT_EQ(config.integrate.quorum, "1");
  EXPECT_EQ(config.file_locks, "none");
  EXPECT_EQ(config.gates, folder_.path() / "gates.yaml");
  EXPECT_EQ(config.output, "out/full");
}

TEST_F(RunConfigTest, FilesAreKnownByWhereTheyAreNamed) {
  const RunConfig config = load(full);
  EXPECT_EQ(config.data.table_place.column, 10U);
  EXPECT_GT(config.data.schema_place.line, 0U);
  EXPECT_GT(config.law_place.line, 0U);
  EXPECT_GT(config.gates_place.line, 0U);
  EXPECT_EQ(load(minimal).gates_place.line, 0U);
  EXPECT_THAT(refusal(full, "gates: gates.yaml", "gates: ''"), testing::HasSubstr("\"gates\" of the run is empty"));
}

TEST_F(RunConfigTest, EvidenceIsAFileOrAMap) {
  EXPECT_EQ(load(minimal).evidence.file, "");
  EXPECT_EQ(load(full).evidence.file, folder_.path() / "evidence.h5");
  EXPECT_EQ(load(full).evidence.least_reliability, 0.8);
  EXPECT_GT(load(full).evidence.place.line, 0U);
  const RunConfig config = load(std::string(minimal) + "evidence: ../evidence.h5\n");
  EXPECT_EQ(config.evidence.file, folder_.path().parent_path() / "evidence.h5");
  EXPECT_EQ(config.evidence.least_reliability, 0);
  RunConfig other = config;
  other.evidence = {};
  EXPECT_EQ(engine_identity(other, other.engines[0]), engine_identity(config, config.engines[0]));
  EXPECT_THAT(refusal(full, "least_reliability: 0.8", "least_reliability: 1.5"), HasSubstr("least_reliability"));
  EXPECT_THAT(refusal(full, "least_reliability", "least_reliabilty"), HasSubstr("least_reliability"));
  EXPECT_THAT(refusal(full, "{file: evidence.h5, least_reliability: 0.8}", "''"), HasSubstr("\"evidence\" of the run is empty"));
  EXPECT_THAT(refusal(full, "file: evidence.h5, ", ""), HasSubstr("file"));
}

TEST_F(RunConfigTest, WrittenFileLoadsTheSameFromAnotherFolder) {
  for (const char* text : {minimal, full, series}) {
    const RunConfig config = load(text);
    const std::string written = to_yaml(config);
    fs::create_directories(folder_.path() / "deep" / "er");
    write_file(folder_.path() / "deep" / "er" / "run.yaml", written);
    const RunConfig again = load_run_config(folder_.path() / "deep" / "er" / "run.yaml");
    EXPECT_EQ(to_yaml(again), written);
    EXPECT_EQ(again.data.table, config.data.table);
    EXPECT_EQ(again.output, fs::absolute(config.output));
    EXPECT_EQ(again.evidence.file, config.evidence.file);
    EXPECT_EQ(again.evidence.least_reliability, config.evidence.least_reliability);
    EXPECT_EQ(again.engines[0].domain, config.engines[0].domain);
    EXPECT_EQ(engine_identity(again, again.engines[0]), engine_identity(config, config.engines[0]));
  }
}

TEST_F(RunConfigTest, IdentityHoldsWhatAnEngineDependsOn) {
  const RunConfig config = load(full);
  const std::string before = engine_identity(config, config.engines[0]);
  EXPECT_NE(before, engine_identity(config, config.engines[1]));
  RunConfig other = config;
  other.name = "other";
  other.output = "elsewhere";
  other.engines.pop_back();
  other.engines[0].train.checkpoint_every = 77;
  EXPECT_EQ(engine_identity(other, other.engines[0]), before);
  other.engines[0].train.learning_rate = 2e-4;
  EXPECT_NE(engine_identity(other, other.engines[0]), before);
  other = config;
  other.engines[0].learns_also = "year == 1986";
  EXPECT_NE(engine_identity(other, other.engines[0]), before);
  EXPECT_EQ(engine_identity(other, other.engines[1]), engine_identity(config, config.engines[1]));
  other = config;
  other.seed = 8;
  EXPECT_NE(engine_identity(other, other.engines[0]), before);
  other = config;
  other.data.split.test = {"1987"};
  EXPECT_NE(engine_identity(other, other.engines[0]), before);
  other = config;
  other.data.split.group = "";
  EXPECT_NE(engine_identity(other, other.engines[0]), before);
}

TEST_F(RunConfigTest, AConvolutionalNetwork) {
  const RunConfig config = load(series);
  const EngineConfig& engine = config.engines[0];
  ASSERT_TRUE(engine.is_convolutional());
  ASSERT_EQ(engine.model.convolutions.size(), 2U);
  EXPECT_EQ(engine.model.convolutions[0].channels, 16);
  EXPECT_EQ(engine.model.convolutions[0].kernel, 5);
  EXPECT_EQ(engine.model.convolutions[0].stride, 2);
  EXPECT_EQ(engine.model.convolutions[1].kernel, 3);
  EXPECT_EQ(engine.model.convolutions[1].stride, 1);
  EXPECT_EQ(engine.model.convolutions[1].place.column, 60U);
  EXPECT_EQ(engine.model.pool, "max");
  EXPECT_TRUE(engine.model.hidden.empty());
  RunConfig other = config;
  other.engines[0].model.convolutions[1].kernel = 4;
  EXPECT_NE(engine_identity(other, other.engines[0]), engine_identity(config, engine));
}

TEST_F(RunConfigTest, ConvolutionsThatAreNone) {
  EXPECT_THAT(refusal(series, "kernel: 5", "kernel: 0"),
              HasSubstr("run.yaml:11:45: \"kernel\" of a convolution of engine pump is 0"));
  EXPECT_THAT(refusal(series, "{channels: 32}", "{kernel: 3}"),
              HasSubstr("a convolution of engine pump lacks the key \"channels\""));
  EXPECT_THAT(refusal(series, "kernel: 5", "kernal: 5"), HasSubstr("unknown key \"kernal\""));
  EXPECT_THAT(refusal(series, "[{channels: 16, kernel: 5, stride: 2}, {channels: 32}]", "[]"),
              HasSubstr("run.yaml:11:21: \"convolutions\" of engine pump must be a sequence of 1 to 64 convolutions"));
  EXPECT_THAT(refusal(series, "pool: max", "pool: mx"), HasSubstr("accepted: mean, max, mean_max, none"));
  EXPECT_THAT(refusal(series, "type: conv1d", "type: mlp"),
              testing::AllOf(HasSubstr("run.yaml:11:21: \"convolutions\" in \"model\" of engine pump: its type is mlp"),
                             HasSubstr("\"hidden\" of engine pump must be a sequence of 1 to 64 widths")));
  EXPECT_THAT(refusal(series, "target: state", "target: state\n    type: mlp"),
              HasSubstr("run.yaml:8:11: the type of engine pump is mlp: its \"model\" says conv1d"));
  EXPECT_THAT(refusal(minimal, "features: [TSH, FTI]", "features: [TSH, FTI], type: conv1d"),
              HasSubstr("run.yaml:6:5: engine hypo is a conv1d without a \"model\""));
}

TEST_F(RunConfigTest, ACommand) {
  const std::string text = minimal;
  const std::string engine = R"(
  - {name: made, type: command, target: x, features: [a], command: [python3, engine.py, "{config}"], environment: {B: "1", A: x}, time_limit: 2min}
)";
  const auto law = text.find("\nlaw:");
  ASSERT_NE(law, std::string::npos);
  std::string with = text;
  with.insert(law, engine.substr(0, engine.size() - 1));
  const RunConfig config = load(with);
  const EngineConfig& made = config.engines.back();
  ASSERT_TRUE(made.is_command());
  EXPECT_THAT(made.command.words, testing::ElementsAre("python3", "engine.py", "{config}"));
  EXPECT_EQ(made.command.time_limit, 120);
  EXPECT_TRUE(made.command.folder.is_absolute());
  const RunConfig again = load(to_yaml(config));
  EXPECT_EQ(to_yaml(again), to_yaml(config));
  RunConfig other = config;
  other.engines.back().command.time_limit = 1;
  other.engines.back().command.folder = "/elsewhere";
  EXPECT_EQ(engine_identity(other, other.engines.back()), engine_identity(config, made));
  other.engines.back().command.files = {{"engine.py", "hash"}};
  EXPECT_NE(engine_identity(other, other.engines.back()), engine_identity(config, made));
  other = config;
  other.engines.back().command.variables["A"] = "y";
  EXPECT_NE(engine_identity(other, other.engines.back()), engine_identity(config, made));
}

TEST_F(RunConfigTest, EveryProblemInOneGo) {
  const std::string text = R"(hiple: 2
name: "a/b"
sed: 7
as_of: 30.11.2026
data: {table: t.csv, schema: s.yaml, split: {column: year, train: [a], test: [a], stratified: g}}
engines:
  - {name: 1st, target: t, features: [t, x, x], devise: cpu}
  - {name: e, target: t, features: [x], train: {epochs: 010, lr: 0}}
  - {name: e, target: t, features: [x], precision: bf16, type: comand}
law: law.yaml
isolation: cell
restarts: -1
step_limit: 10
)";
  const std::string all = refusal(text, "hiple", "hiple");
  EXPECT_THAT(all, HasSubstr("run.yaml:1:8: \"hiple\" of the run is 2: it must be 1"));
  EXPECT_THAT(all, HasSubstr("run.yaml:2:7: \"name\" of the run is \"a/b\""));
  EXPECT_THAT(all, HasSubstr("run.yaml:3:1: unknown key \"sed\" in the run (did you mean \"seed\"?)"));
  EXPECT_THAT(all, HasSubstr("run.yaml:4:8: \"as_of\" of the run is \"30.11.2026\": it must be a date"));
  EXPECT_THAT(all, HasSubstr("\"a\" is listed under train and under test"));
  EXPECT_THAT(all, HasSubstr("run.yaml:5:95: \"stratified\" beside \"column\""));
  EXPECT_THAT(all, HasSubstr("run.yaml:7:12: \"1st\" is no name for an engine"));
  EXPECT_THAT(all, HasSubstr("run.yaml:7:39: the target \"t\" among the features"));
  EXPECT_THAT(all, HasSubstr("run.yaml:7:45: \"x\" stands twice"));
  EXPECT_THAT(all, HasSubstr("unknown key \"devise\" in engine 1st (did you mean \"device\"?)"));
  EXPECT_THAT(all, HasSubstr("run.yaml:8:57: \"epochs\" of \"train\" of engine e must be a whole number"));
  EXPECT_THAT(all, HasSubstr("\"lr\" of \"train\" of engine e is 0"));
  EXPECT_THAT(all, HasSubstr("\"precision\" of engine e is \"bf16\": accepted: fp32"));
  EXPECT_THAT(all, HasSubstr("\"type\" of engine e is \"comand\": accepted: mlp, conv1d, command (did you mean \"command\"?)"));
  EXPECT_THAT(all, HasSubstr("run.yaml:9:5: a second engine \"e\""));
  EXPECT_THAT(all, HasSubstr("\"isolation\" of the run is \"cell\": accepted: process, rank"));
  EXPECT_THAT(all, HasSubstr("\"restarts\" of the run is -1"));
  EXPECT_THAT(all, HasSubstr("\"step_limit\" of the run must be a duration"));
}

TEST_F(RunConfigTest, OddInput) {
  EXPECT_THAT(refusal(minimal, "as_of: 2026-11-30\n", ""), HasSubstr("lacks the key \"as_of\""));
  EXPECT_THAT(refusal(minimal, "hiple: 1\n", ""), HasSubstr("lacks the key \"hiple\""));
  EXPECT_THAT(refusal(minimal, "features: [TSH, FTI]", "features: []"), HasSubstr("is empty"));
  EXPECT_THAT(refusal(minimal, "features: [TSH, FTI]", "features: [TSH, FTI], learns_also: ''"),
              HasSubstr("run.yaml:6:68: \"learns_also\" of engine hypo is empty"));
  EXPECT_THAT(refusal(minimal, "law: law.yaml", "law: ''"), HasSubstr("\"law\" of the run is empty"));
  EXPECT_THAT(refusal(minimal, "law: law.yaml", "law:"), HasSubstr("must be a text: found nothing"));
  EXPECT_THAT(refusal(minimal, "law: law.yaml", "law: l\noutput: ''"), HasSubstr("\"output\" of the run is empty"));
  EXPECT_THAT(refusal(minimal, "name: hypo", "name: and"), HasSubstr("a word of the language"));
  EXPECT_THAT(refusal(minimal, "name: small", "name: null"), HasSubstr("must be a text"));
  EXPECT_THAT(refusal(minimal, "law: law.yaml", "law: l\nseed: -1"), HasSubstr("\"seed\" of the run is -1"));
  EXPECT_THAT(refusal(minimal, "../schema.yaml}", "s, split: {test: 1}}"), HasSubstr("between 0 and 1, and be neither"));
  EXPECT_THAT(refusal(minimal, "../schema.yaml}", "s, split: {test: [a]}}"), HasSubstr("must be a number"));
  EXPECT_THAT(refusal(minimal, "../schema.yaml}", "s, split: {train: [a]}}"), HasSubstr("\"train\" without \"column\""));
  EXPECT_THAT(refusal(minimal, "../schema.yaml}", "s, split: {early_stop: 0.5, calibration: 0.5}}"), HasSubstr("leave no rows"));
  EXPECT_THAT(refusal(full, "hidden: [8, 4]", "hidden: []"), HasSubstr("1 to 64 widths"));
  EXPECT_THAT(refusal(full, "hidden: [8, 4]", "hidden: [8, 0]"), HasSubstr("a hidden layer of width 0"));
  EXPECT_THAT(refusal(full, "hidden: [8, 4]", "hidden: 8"), HasSubstr("1 to 64 widths"));
  EXPECT_THAT(refusal(full, "quorum: 1", "quorum: 3"), HasSubstr("a number of engines from 1 to 2"));
  EXPECT_THAT(refusal(full, "lost_after: 2min", "lost_after: 0s"), HasSubstr("\"lost_after\" of integrate is under a second"));
  EXPECT_THAT(refusal(full, "file_locks: none", "file_locks: no"), HasSubstr("accepted: required, none"));
  EXPECT_THAT(refusal(full, "dropout: 0.1", "dropout: .nan"), HasSubstr("finite"));
  EXPECT_EQ(refusal("engines: []\nname: x\n", "x", "x").find("crash"), std::string::npos);
}

}  // namespace
}  // namespace hiple
