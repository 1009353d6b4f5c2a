#include <gtest/gtest.h>

#include "base/file.hpp"
#include "process/memory_group.hpp"
#include "temporary_folder.hpp"

namespace hiple::process {
namespace {

struct MemoryGroupTest : testing::Test {
  TemporaryFolder folder;
  std::filesystem::path proc = folder.path() / "proc", groups = folder.path() / "cgroup";

  void file(const std::filesystem::path& path, const std::string& content) {
    make_folder(path.parent_path());
    write_file(path, content);
  }
  std::optional<MemoryGroup> group() { return MemoryGroup::of_this_process(proc, groups); }
};

TEST_F(MemoryGroupTest, OfVersion2) {
  file(proc / "self/cgroup", "0::/system.slice/job 7\n");
  file(groups / "system.slice/job 7/memory.events", "low 0\nhigh 4\nmax 9\noom 3\noom_kill 2\n");
  file(groups / "system.slice/job 7/memory.max", "536870912\n");
  file(groups / "system.slice/job 7/memory.current", "4096\n");
  ASSERT_TRUE(group());
  EXPECT_EQ(group()->oom_kills(), 2U);
  EXPECT_EQ(group()->limit(), 536870912U);
  EXPECT_EQ(group()->in_use(), 4096U);
  file(groups / "system.slice/job 7/memory.max", "max\n");
  EXPECT_FALSE(group()->limit());
}

TEST_F(MemoryGroupTest, OfVersion1BesideAnEmptyVersion2) {
  file(proc / "self/cgroup", "8:pids:/\n4:cpu,memory:/slurm/job_7\n0::/\n");
  file(groups / "memory/slurm/job_7/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  file(groups / "memory/slurm/job_7/memory.limit_in_bytes", "1048576\n");
  ASSERT_TRUE(group());
  EXPECT_EQ(group()->oom_kills(), 5U);
  EXPECT_EQ(group()->limit(), 1048576U);
  file(groups / "memory/slurm/job_7/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(group()->limit());
}

/// A container's view: its own group is the root, and /proc has the path that the host sees.
TEST_F(MemoryGroupTest, OfAContainer) {
  file(proc / "self/cgroup", "0::/../../docker/abc\n");
  file(groups / "memory.events", "oom_kill 1\n");
  ASSERT_TRUE(group());
  EXPECT_EQ(group()->oom_kills(), 1U);
}

TEST_F(MemoryGroupTest, NoneIsNone) {
  EXPECT_FALSE(group());
  file(proc / "self/cgroup", "0::/\n");
  EXPECT_FALSE(group());
  EXPECT_EQ(oom_kills_of_host(proc), 0U);
  file(proc / "vmstat", "pgfault 17\noom_kill 3\n");
  EXPECT_EQ(oom_kills_of_host(proc), 3U);
}

}  // namespace
}  // namespace hiple::process
