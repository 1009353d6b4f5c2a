#include <gmock/gmock.h>

#include "base/file.hpp"
#include "submit/settings.hpp"
#include "temporary_folder.hpp"

namespace hiple::submit {
namespace {

struct SiteTest : testing::Test {
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "site.yaml";

  Settings load(const std::string& text) {
    write_file(path, text);
    return load_site(path);
  }
  std::string refusal(const std::string& text) {
    try {
      load(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(SiteTest, EveryKey) {
  const Settings site = load(
      "site: 1\nlaunch: mpirun\npartition: gpu\naccount: proj\nqos: long\nconstraint: a100\ntime: 2-00\nmemory: 2G\n"
      "cpus_per_task: 4\ngpus_per_task: 1\nrestarts: 3\nmodules: [gcc/12, \"open mpi\"]\nenvironment: {OMP_NUM_THREADS: \"4\", "
      "X: it's}\n");
  EXPECT_EQ(site.launch, "mpirun");
  EXPECT_EQ(site.partition, "gpu");
  EXPECT_EQ(site.account, "proj");
  EXPECT_EQ(site.qos, "long");
  EXPECT_EQ(site.constraint, "a100");
  EXPECT_EQ(site.time, "2-00");
  EXPECT_EQ(site.memory, "2G");
  EXPECT_EQ(site.cpus_per_task, 4);
  EXPECT_EQ(site.gpus_per_task, 1);
  EXPECT_EQ(site.restarts, 3);
  EXPECT_THAT(site.modules, testing::ElementsAre("gcc/12", "open mpi"));
  EXPECT_THAT(site.environment, testing::ElementsAre(testing::Pair("OMP_NUM_THREADS", "4"), testing::Pair("X", "it's")));
}

TEST_F(SiteTest, NothingMustBeSaid) {
  const Settings site = load("site: 1\n");
  EXPECT_FALSE(site.partition);
  EXPECT_FALSE(site.time);
  EXPECT_EQ(site.launch, "srun");
}

TEST_F(SiteTest, ProblemsAreNamedWithTheirPlace) {
  EXPECT_THAT(refusal("site: 1\npartitoin: gpu\n"), testing::HasSubstr(path.string() + ":2:1"));
  EXPECT_THAT(refusal("site: 1\npartition: \"a b\"\n"), testing::HasSubstr("partition is \"a b\""));
  EXPECT_THAT(refusal("site: 1\ntime: soon\n"), testing::HasSubstr("no time limit"));
  EXPECT_THAT(refusal("site: 1\nenvironment: {1X: a}\n"), testing::HasSubstr(path.string() + ":2:15"));
  EXPECT_THAT(refusal("site: 1\nenvironment: {X: \"a\\nb\"}\n"), testing::HasSubstr("control character"));
  EXPECT_THAT(refusal("site: 1\nenvironment: [X]\n"), testing::HasSubstr("must be a map"));
  EXPECT_THAT(refusal("site: 1\nmodules: [-x]\n"), testing::HasSubstr("no module's name"));
  EXPECT_THAT(refusal("site: 1\ngpus_per_task: -1\n"), testing::HasSubstr("gpus_per_task"));
  EXPECT_THAT(refusal("site: 2\n"), testing::HasSubstr("site"));
  EXPECT_THAT(refusal("site: 1\nlaunch: ssh\n"), testing::HasSubstr("launch"));
}

}  // namespace
}  // namespace hiple::submit
