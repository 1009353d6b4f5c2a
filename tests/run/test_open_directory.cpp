#include <gmock/gmock.h>
#include <unistd.h>

#include "base/file.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

EngineConfig engine(const std::string& name) {
  EngineConfig engine;
  engine.name = name;
  engine.target = "t";
  engine.features = {"a", "b"};
  return engine;
}

RunConfig config() {
  RunConfig config;
  config.name = "study";
  config.seed = 7;
  config.data.table = "/data/cases.csv";
  config.data.schema = "/data/schema.yaml";
  config.law = "/data/law.yaml";
  config.output = "/out";
  config.engines = {engine("one"), engine("two")};
  return config;
}

TEST(Differences, NoneBetweenEquals) { EXPECT_THAT(differences(config(), config()), IsEmpty()); }

TEST(Differences, OrderOfEnginesAndWhatDecidesMayChange) {
  RunConfig wanted = config();
  std::swap(wanted.engines[0], wanted.engines[1]);
  wanted.output = "/elsewhere";
  wanted.law = "/data/new_law.yaml";
  wanted.gates = "/data/gates.yaml";
  wanted.evidence.file = "/data/evidence.h5";
  wanted.integrate.deadline = 5;
  EXPECT_THAT(differences(config(), wanted), IsEmpty());
}

TEST(Differences, ASettingIsNamedWithBothValues) {
  RunConfig wanted = config();
  wanted.engines[1].train.epochs = 80;
  wanted.seed = 8;
  EXPECT_THAT(differences(config(), wanted), ElementsAre("engines.two.train.epochs: was 100, is 80", "seed: was 7, is 8"));
}

TEST(Differences, FeaturesAreNamedOneByOne) {
  RunConfig wanted = config();
  wanted.engines[0].features = {"a", "b", "c"};
  EXPECT_THAT(differences(config(), wanted), ElementsAre(HasSubstr("engines.one.features.3")));
}

TEST(Differences, AnEngineMayJoinButNotLeave) {
  RunConfig wanted = config();
  wanted.engines.push_back(engine("three"));
  EXPECT_THAT(differences(config(), wanted), IsEmpty());
  EXPECT_THAT(differences(wanted, config()), testing::Contains(HasSubstr("engines.three.name: was three, is gone")));
}

TEST(Differences, NoMoreMayJoinThanTheFoldersWereMadeFor) {
  RunConfig held = config(), wanted = config();
  for (int i = 0; i < 998; ++i) held.engines.push_back(engine("e" + std::to_string(i)));
  EXPECT_THAT(differences(config(), held), IsEmpty());
  wanted = held;
  wanted.engines.push_back(engine("one_more"));
  EXPECT_THAT(differences(held, wanted), ElementsAre(HasSubstr("engines: were 1000, are 1001")));
}

TEST(RunDirectory, SpreadsTheFilesOfMoreThanAThousandEngines) {
  EXPECT_EQ(RunDirectory("/r", 1000).checkpoint("e"), "/r/engines/e/checkpoint.h5");
  EXPECT_EQ(RunDirectory("/r", 1000).judgments("e.f"), "/r/judgments/e.f.h5");
  // SHA-256 of "e" begins with 3f.
  EXPECT_EQ(RunDirectory("/r", 1001).checkpoint("e"), "/r/engines/3f/e/checkpoint.h5");
  EXPECT_EQ(RunDirectory("/r", 1001).judgments("e"), "/r/judgments/3f/e.h5");
}

TEST(CheckDirectory, APlaceThatCannotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THROW(check_directory(RunDirectory(folder.path()), config(), false, "job 1"), InputError);
  EXPECT_THROW(check_directory(RunDirectory(folder.path() / "a" / "b"), config(), false, "job 1"), InputError);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_NO_THROW(check_directory(RunDirectory(folder.path() / "a" / "b"), config(), false, "job 1"));
}

TEST(CheckDirectory, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  write_file(folder.path() / "thesis.tex", "");
  EXPECT_THROW(check_directory(RunDirectory(folder.path()), config(), false, "job 1"), InputError);
  EXPECT_THROW(check_directory(RunDirectory(folder.path()), config(), true, "job 1"), InputError);
}

TEST(CheckDirectory, APathThatCannotBeIsWrongInput) {
  const TemporaryFolder folder;
  EXPECT_THROW(check_directory(RunDirectory(folder.path() / std::string(300, 'x')), config(), false, {}), InputError);
  write_file(folder.path() / "file", "");
  EXPECT_THROW(check_directory(RunDirectory(folder.path() / "file"), config(), false, {}), InputError);
}

TEST(CheckDirectory, AStudyIsNotTakenForARun) {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  write_file(directory.config(), to_yaml(config()));
  EXPECT_THROW(check_directory(directory, config(), false, "job 1"), InputError);
  EXPECT_THROW(check_directory(directory, config(), true, "job 1"), InputError);
  write_file(directory.build(), "{}");
  EXPECT_NO_THROW(check_directory(directory, config(), false, "job 1"));
}

TEST(CheckDirectory, ALateRankAcceptsWhatItsOwnJobIsSettingUp) {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  const Lock lock(directory.lock(), "the run", "job 1");
  write_file(directory.build(), "{}");  // run.yaml comes last
  EXPECT_NO_THROW(check_directory(directory, config(), false, "job 1"));
  EXPECT_THROW(check_directory(directory, config(), false, "job 2"), InputError);
  EXPECT_THROW(check_directory(directory, config(), false, {}), InputError);
}

}  // namespace
}  // namespace hiple
