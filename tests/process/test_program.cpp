#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "process/program.hpp"
#include "temporary_folder.hpp"

namespace hiple::process {
namespace {

using namespace std::chrono_literals;

ProgramStart shell(const std::string& script, const std::filesystem::path& folder = "/") {
  return {"/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin", "WORD=a b"}, folder};
}

ProgramEnd end_of(Program& program) {
  while (true)
    if (const auto end = program.ended(100ms)) return *end;
}

/// The processes whose numbers a script wrote into files pid.N.
std::vector<pid_t> written(const std::filesystem::path& folder, std::size_t count) {
  for (int look = 0; look < 400; ++look) {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("pid.")) found.push_back(std::stoi(name.substr(4)));
    }
    if (found.size() >= count) return found;
    std::this_thread::sleep_for(50ms);
  }
  ADD_FAILURE() << "the script did not come to it";
  return {};
}

/// False for zombies too.
bool lives(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stream, text);
  const auto end = text.rfind(')');
  return end != std::string::npos && text.at(end + 2) != 'Z';
}

bool none_lives(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes)
    if (lives(process)) return false;
  return true;
}

constexpr const char* family =
    "touch pid.$$; setsid sh -c 'touch pid.$$; (setsid sh -c \"touch pid.\\$\\$; sleep 600\" &) ; sleep 600' & ";

TEST(Program, RunsWithItsWordsInItsFolder) {
  const TemporaryFolder folder;
  Program program(shell("echo \"$WORD $0\" > said; test ! -e /proc/self/fd/3 && exit 7", folder.path()));
  const ProgramEnd end = end_of(program);
  ASSERT_TRUE(WIFEXITED(end.status));
  EXPECT_EQ(WEXITSTATUS(end.status), 7);
  std::ifstream stream(folder.path() / "said");
  std::string text;
  std::getline(stream, text);
  EXPECT_EQ(text, "a b sh");
}

TEST(Program, WhatCannotBeStartedSaysWhy) {
  ProgramStart start = shell("true");
  start.program = "/etc/passwd";
  EXPECT_THROW(Program{start}, Error);
  start = shell("true", "/nowhere");
  EXPECT_THROW(Program{start}, Error);
}

TEST(Program, OrphansEndWithIt) {
  const TemporaryFolder folder;
  Program program(shell(std::string(family) + "while [ $(ls | grep -c pid) -lt 3 ]; do sleep 0.05; done; exit 0", folder.path()));
  EXPECT_GE(end_of(program).orphans, 2U);
  EXPECT_TRUE(none_lives(written(folder.path(), 3)));
}

TEST(Program, EndLeavesNobody) {
  const TemporaryFolder folder;
  Program program(shell(std::string(family) + "sleep 600", folder.path()));
  const auto processes = written(folder.path(), 3);
  EXPECT_FALSE(none_lives(processes));
  program.end();
  EXPECT_TRUE(none_lives(processes));
}

TEST(Program, AKilledOwnerTakesItAllAlong) {
  const TemporaryFolder folder;
  const pid_t owner = ::fork();
  if (owner == 0) {
    Program program(shell(std::string(family) + "sleep 600", folder.path()));
    end_of(program);
    ::_exit(0);
  }
  const auto processes = written(folder.path(), 3);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  for (int look = 0; look < 200 && !none_lives(processes); ++look) std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(none_lives(processes));
}

TEST(Program, ASignalReachesIt) {
  const TemporaryFolder folder;
  Program program(shell("trap 'exit 5' TERM; touch pid.$$; while true; do sleep 0.05; done", folder.path()));
  written(folder.path(), 1);
  program.signal(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(end_of(program).status), 5);
}

TEST(FindProgram, ByPathAndByName) {
  EXPECT_EQ(find_program("sh", "/"), find_program("sh", "/tmp"));
  EXPECT_FALSE(find_program("sh", "/").empty());
  EXPECT_EQ(find_program("./sh", "/bin"), "/bin/sh");
  EXPECT_EQ(find_program("./passwd", "/etc"), "") << "it may not be executed";
  EXPECT_EQ(find_program("no-such-program", "/"), "");
  EXPECT_EQ(find_program("", "/"), "");
}

}  // namespace
}  // namespace hiple::process
