#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/error.hpp"
#include "base/file.hpp"
#include "run/lock.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

struct LockTest : testing::Test {
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "LOCK";
};

TEST_F(LockTest, IsThereAsLongAsItsHolder) {
  {
    const Lock lock(path, "the run", "job 1");
    const auto holder = read_lock(path);
    ASSERT_TRUE(holder);
    EXPECT_EQ(holder->process, ::getpid());
    EXPECT_EQ(holder->job, "job 1");
    EXPECT_TRUE(holder->may_be_alive());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(read_lock(path));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(LockTest, KeepsOthersOut) {
  const Lock lock(path, "the run", "job 1");
  try {
    const Lock second(path, "the run", "job 2");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the run is in use by process " + std::to_string(::getpid())));
  }
  EXPECT_THROW(check_lock(path, "the run", "job 2"), InputError);
  EXPECT_THROW(check_lock(path, "the run", ""), InputError);
  EXPECT_NO_THROW(check_lock(path, "the run", "job 1"));
}

TEST_F(LockTest, OfADeadProcessIsTakenOver) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const Lock mine(folder.path() / "MINE", "x");  // for this host's name
  const std::string host = read_lock(folder.path() / "MINE")->host;
  write_file(path, R"({"host": ")" + host + R"(", "process": )" + std::to_string(child) + R"(, "start": 5})");
  EXPECT_FALSE(read_lock(path)->may_be_alive());
  EXPECT_NO_THROW(check_lock(path, "the run", ""));
  const Lock lock(path, "the run");
  EXPECT_EQ(read_lock(path)->process, ::getpid());
}

/// Many find the lock of a dead process at once. Without care the second takes away what the first has just made its own.
TEST_F(LockTest, OfADeadProcessIsTakenOverByOneAlone) {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const Lock mine(folder.path() / "MINE", "x");
  const std::string host = read_lock(folder.path() / "MINE")->host;
  constexpr int rounds = 20, rivals = 4;
  for (int round = 0; round < rounds; ++round) {
    write_file(path, R"({"host": ")" + host + R"(", "process": )" + std::to_string(dead) + R"(, "start": 5})");
    std::array<int, 2> go{}, told{};
    ASSERT_EQ(::pipe(go.data()) + ::pipe(told.data()), 0);
    std::array<pid_t, rivals> children{};
    for (pid_t& child : children) {
      child = ::fork();
      if (child != 0) continue;
      name_temporaries(std::to_string(::getpid()) + ".");  // as processes that were not forked from one have it
      char begin = 0;
      ::close(go[1]);
      [[maybe_unused]] auto ignored = ::read(go[0], &begin, 1);  // until all are there
      bool has = false;
      try {
        const Lock lock(path, "the run");
        has = lock.is_mine();
        ignored = ::write(told[1], "y", 1);
        while (true) ::pause();
      } catch (const Error&) {
        ignored = ::write(told[1], has ? "?" : "n", 1);
      }
      ::_exit(0);
    }
    ::close(go[0]);
    ::close(go[1]);
    int holders = 0;
    for (int i = 0; i < rivals; ++i) {
      char answer = '?';
      ASSERT_EQ(::read(told[0], &answer, 1), 1);
      holders += answer == 'y' ? 1 : 0;
    }
    EXPECT_EQ(holders, 1);
    for (const pid_t child : children) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    ::close(told[0]);
    ::close(told[1]);
    std::filesystem::remove(path);
  }
}

TEST_F(LockTest, OneThatWasTakenAwayIsLeftToWhoeverHasItNow) {
  {
    const Lock lock(path, "the run");
    EXPECT_TRUE(lock.is_mine());
    write_file(path, R"({"host": "elsewhere.invalid", "process": 1})");
    EXPECT_FALSE(lock.is_mine());
  }
  EXPECT_EQ(read_lock(path)->host, "elsewhere.invalid");
}

TEST_F(LockTest, OfAProcessWithTheSameNumberThatBeganLaterIsStale) {
  const Lock mine(folder.path() / "MINE", "x");
  LockHolder holder = *read_lock(folder.path() / "MINE");
  ASSERT_GT(holder.start, 0U);
  holder.start -= 1;
  EXPECT_FALSE(holder.may_be_alive());
}

TEST_F(LockTest, OfAnotherHostOrUnreadableMayBeAlive) {
  write_file(path, R"({"host": "elsewhere.invalid", "process": 1})");
  EXPECT_TRUE(read_lock(path)->may_be_alive());
  EXPECT_THROW(Lock(path, "the run"), InputError);
  for (const char* text : {"garbage", "7", R"({"host": 7})", R"({"host": "here", "process": "me"})"}) {
    write_file(path, text);
    EXPECT_EQ(read_lock(path)->text(), "an unknown process") << text;
    EXPECT_TRUE(read_lock(path)->may_be_alive()) << text;
    EXPECT_THROW(Lock(path, "the run"), InputError) << text;
  }
}

/// This process as a part of a Slurm job.
class InSlurm {
 public:
  InSlurm(const std::string& job, const std::string& restarts) {
    ::setenv("SLURM_JOB_ID", job.c_str(), 1);
    ::setenv("SLURM_RESTART_COUNT", restarts.c_str(), 1);
  }
  ~InSlurm() {
    ::unsetenv("SLURM_JOB_ID");
    ::unsetenv("SLURM_RESTART_COUNT");
  }
};

TEST(LockInSlurm, AnEarlierStartOfTheSameJobIsGoneWhereverItWas) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "LOCK";
  const std::string content = R"({"host": "elsewhere.invalid", "process": 1, "slurm_job": "17", "slurm_restart": 1})";
  for (const char* restarts : {"0", "1"}) {
    const InSlurm slurm("17", restarts);
    write_file(path, content);
    EXPECT_THROW(Lock(path, "the run"), InputError) << restarts;
  }
  {
    const InSlurm slurm("18", "2");
    EXPECT_TRUE(read_lock(path)->may_be_alive());
  }
  const InSlurm slurm("17", "2");
  EXPECT_FALSE(read_lock(path)->may_be_alive());
  EXPECT_NO_THROW(check_lock(path, "the run", {}));
  const Lock mine(path, "the run");
  EXPECT_EQ(read_lock(path)->slurm.id, "17");
  EXPECT_EQ(read_lock(path)->slurm.restart, 2);
}

TEST(LockInSlurm, OneThatSlurmDoesNotTellOfMayBeAlive) {
  EXPECT_FALSE(slurm_says_ended({}));
  EXPECT_FALSE(slurm_says_ended({"not a number", "", 0}));
}

}  // namespace
}  // namespace hiple
