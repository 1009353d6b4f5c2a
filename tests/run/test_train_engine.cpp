#include <gtest/gtest.h>

#include "base/file.hpp"
#include "run/open_directory.hpp"
#include "run/prepare.hpp"
#include "run/train_engine.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

constexpr const char* schema = R"(schema: 1
columns:
  - {name: case, type: integer, role: id}
  - {name: a, type: real}
  - {name: x, type: boolean, role: label}
)";
constexpr const char* law = R"(law: 1
name: tiny
schema: schema.yaml
questions:
  - {name: q, findings: [none, yes], default: none}
panels:
  - {name: root, members: [alpha]}
rules:
  - {id: X-1, title: alpha says so, when: 'alpha.label == "true"', then: q.yes}
)";
constexpr const char* run_file = R"(hiple: 1
name: tiny
seed: 1
as_of: 2026-11-30
data: {table: cases.csv, schema: schema.yaml, split: {test: 0.3}}
engines:
  - {name: alpha, domain: alpha, target: x, features: [a], model: {type: mlp, hidden: [4]}, train: {epochs: 1, batch: 32, lr: 1e-2, early_stop: 0}}
law: law.yaml
isolation: rank
integrate: {judging: on_demand}
output: unused
)";

struct TrainEngineTest : testing::Test {
  TrainEngineTest() {
    std::string table = "case,a,x\n";
    for (int i = 1; i <= 200; ++i)
      table += std::to_string(i) + "," + std::to_string(i % 7) + (i % 7 > 3 ? ",true\n" : ",false\n");
    write_file(folder.path() / "cases.csv", table);
    write_file(folder.path() / "schema.yaml", schema);
    write_file(folder.path() / "law.yaml", law);
    write_file(folder.path() / "run.yaml", run_file);
  }

  TemporaryFolder folder;
};

/// From the moment on in which its judgments are there an engine can be asked for more, also before its rank has seen it end.
/// Such a request was read by nobody, and taking it away would say that it is answered.
TEST_F(TrainEngineTest, ARequestThatComesWhileItEndsStays) {
  RunConfig config = load_run_config(folder.path() / "run.yaml");
  config.output = folder.path() / "out";
  const PreparedRun run = prepare(std::move(config));
  const RunDirectory directory(run.config);
  start_directory(directory, run, false);
  const auto request = directory.request("alpha");
  TrainSettings settings;
  settings.phase = [&](Phase phase, const std::string&) {
    if (phase != Phase::write) return;
    make_folder(request.parent_path());
    write_file(request, "what the law asks for");
  };
  bool answered = false;
  settings.answered = [&] { answered = true; };
  const EngineOutcome outcome = train_engine(run, directory, run.engine("alpha"), settings);
  ASSERT_EQ(outcome.status, ExitStatus::done) << outcome.reason;
  EXPECT_TRUE(std::filesystem::exists(request));
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace hiple
