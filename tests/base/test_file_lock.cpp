#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/file_lock.hpp"
#include "base/publish_guard.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

struct FileLockTest : testing::Test {
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "WRITER";

  /// Another process that holds the lock until it is killed.
  pid_t holder() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto lock = FileLock::attempt(path);
      [[maybe_unused]] const auto written = ::write(ends[1], lock ? "y" : "n", 1);
      while (true) ::pause();
    }
    char answer = '?';
    EXPECT_EQ(::read(ends[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    ::close(ends[0]);
    ::close(ends[1]);
    return child;
  }
};

void end(pid_t process) {
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

TEST_F(FileLockTest, OneAtATime) {
  {
    const auto first = FileLock::attempt(path);
    ASSERT_TRUE(first);
    EXPECT_FALSE(FileLock::attempt(path));  // in one process too
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(FileLock::attempt(path));
}

TEST_F(FileLockTest, AProcessThatStandsStillKeepsItAndADeadOneHasLostIt) {
  const pid_t other = holder();
  EXPECT_FALSE(FileLock::attempt(path));
  ::kill(other, SIGSTOP);
  EXPECT_FALSE(FileLock::attempt(path));
  end(other);
  EXPECT_TRUE(FileLock::attempt(path));
}

TEST_F(FileLockTest, NoProgramInheritsIt) {
  pid_t child = 0;
  {
    const auto lock = FileLock::attempt(path);
    ASSERT_TRUE(lock);
    std::string program = "/bin/sleep", seconds = "60";
    std::array<char*, 3> words = {program.data(), seconds.data(), nullptr};
    ASSERT_EQ(::posix_spawn(&child, words[0], nullptr, nullptr, words.data(), environ), 0);
  }
  EXPECT_TRUE(FileLock::attempt(path));
  end(child);
}

TEST_F(FileLockTest, KnowsThatItsFileIsGoneOrAnother) {
  const auto lock = FileLock::attempt(path);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(lock->is_named());
  std::filesystem::rename(path, folder.path() / "elsewhere");
  EXPECT_FALSE(lock->is_named());
  const auto other = FileLock::attempt(path);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->is_named());
  EXPECT_FALSE(lock->is_named());
}

TEST_F(FileLockTest, HoldsAContent) {
  const auto lock = FileLock::attempt(path);
  lock->write("a long line\n");
  lock->write("short\n");
  EXPECT_EQ(read_file(path), "short\n");
}

TEST_F(FileLockTest, AnExistingFileOnly) {
  EXPECT_FALSE(FileLock::attempt_existing(path));
  EXPECT_FALSE(std::filesystem::exists(path));
  write_file(path, "x");
  EXPECT_TRUE(FileLock::attempt_existing(path));
  EXPECT_EQ(read_file(path), "x");
}

TEST_F(FileLockTest, AFolderThatIsMissingIsAnError) { EXPECT_THROW(FileLock::attempt(folder.path() / "no" / "WRITER"), Error); }

/// Many that want it at once, each of which would see it if a second one held it.
TEST_F(FileLockTest, IsNeverHeldTwice) {
  std::atomic<int> holders = 0, most = 0, taken = 0;
  const auto work = [&] {
    while (taken < 200) {
      const auto lock = FileLock::attempt(path);
      if (!lock) continue;
      const int now = ++holders;
      if (now > most) most = now;
      ++taken;
      if (taken % 7 == 0) std::filesystem::remove(path);  // as --fresh does, under the lock
      --holders;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
}

TEST(PublishGuard, IsAskedBeforeAFileGetsItsName) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_file(path, "before");
  bool allowed = true;
  {
    const PublishGuard guard([&] {
      if (!allowed) throw Error("no more");
    });
    write_file(path, "with leave");
    allowed = false;
    EXPECT_THROW(write_file(path, "without"), Error);
    EXPECT_EQ(read_file(path), "with leave");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);  // no temporary file is left
  }
  write_file(path, "after");
  EXPECT_EQ(read_file(path), "after");
}

}  // namespace
}  // namespace hiple
