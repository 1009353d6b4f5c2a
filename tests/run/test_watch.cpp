#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/file.hpp"
#include "run/watch.hpp"

namespace hiple {
namespace {

/// A shell in the place of an engine's process, and the watch over it.
struct WatchTest : testing::Test {
  void start(const std::string& script) {
    process = spawner.start({"/bin/sh", "-c", script}, pulse.descriptor(), STDERR_FILENO).value_or(-1);
    ASSERT_GT(process, 0);
  }
  Ending watch() {
    auto [output, input] = process::make_pipe();
    return hiple::watch(spawner, pulse, output.get(), settings);
  }

  process::Spawner spawner{HIPLE_SPAWNER};
  process::Pulse pulse;
  WatchSettings settings;
  pid_t process = -1;
};

TEST_F(WatchTest, WhatNeverMovesIsEndedAfterTheStepLimitThoughItMakesNoSteps) {
  start("exec sleep 600");
  settings.step_limit = 0.5;
  const Ending ending = watch();
  EXPECT_TRUE(ending.stalled);
  EXPECT_FALSE(ending.unending);
  ASSERT_TRUE(ending.status);
  EXPECT_EQ(process::end_text(*ending.status), "signal 9 (Killed)");
}

TEST_F(WatchTest, WhatMovesIsNotEndedHoweverLongItTakes) {
  start("sleep 3");
  settings.step_limit = 1;
  bool over = false;
  std::thread beats([&] {
    while (!over) {
      pulse.beat();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  const Ending ending = watch();
  over = true;
  beats.join();
  EXPECT_FALSE(ending.stalled);
  EXPECT_EQ(ending.status, 0);
}

/// A cgroup of the freezer: its processes do not even take SIGKILL, as those that hang on a file system that does not answer.
class Freezer {
 public:
  Freezer() : folder_("/sys/fs/cgroup/freezer/hiple-test-" + std::to_string(::getpid())) {
    std::error_code problem;
    usable_ = std::filesystem::create_directory(folder_, problem);
  }
  ~Freezer() {
    static_cast<void>(write("freezer.state", "THAWED"));
    std::error_code problem;
    for (int i = 0; i < 500 && !std::filesystem::remove(folder_, problem); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  [[nodiscard]] bool freeze(pid_t process) const {
    return usable_ && write("cgroup.procs", std::to_string(process)) && write("freezer.state", "FROZEN");
  }

 private:
  [[nodiscard]] bool write(const char* file, const std::string& text) const {
    std::ofstream stream(folder_ / file);
    stream << text << std::flush;
    return stream.good();
  }
  std::filesystem::path folder_;
  bool usable_ = false;
};

TEST_F(WatchTest, WhatDoesNotEndIsGivenUp) {
  const Freezer freezer;
  start("exec sleep 600");
  if (!freezer.freeze(process)) GTEST_SKIP() << "no freezer cgroup can be made here";
  settings.step_limit = settings.end_within = 0.5;
  const Ending ending = watch();
  EXPECT_TRUE(ending.stalled);
  EXPECT_TRUE(ending.unending);
  EXPECT_FALSE(ending.status);
  EXPECT_TRUE(spawner.lost());
  spawner.revive();  // the next engine finds one that works
  start("exit 3");
  settings.step_limit = 60;
  EXPECT_EQ(process::end_text(watch().status.value_or(0)), "exit status 3");
}

}  // namespace
}  // namespace hiple
