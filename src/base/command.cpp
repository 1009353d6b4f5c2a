#include "base/command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "base/error.hpp"

namespace hiple {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// A file without a name: a program may fill both of its outputs in any order, and nobody waits for a pipe to be emptied.
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) throw Error("a temporary file cannot be made: " + std::system_category().message(errno));
  ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

std::string content_of(std::FILE* file) {
  std::string content;
  std::rewind(file);
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file)) content.append(buffer.data(), count);
  return content;
}

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// The status of a child that ends in time.
int wait_for(pid_t process, const std::string& name, std::chrono::milliseconds longest) {
  constexpr auto pause = std::chrono::milliseconds(2);
  const auto deadline = std::chrono::steady_clock::now() + longest;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw Error(name + ": cannot be waited for: " + std::system_category().message(errno));
    if (std::chrono::steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(pause);
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  throw Error(name + ": did not end within " + std::to_string(longest.count() / 1000) + " s, and was killed");
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, std::chrono::milliseconds longest) {
  const TemporaryFile output = temporary_file();
  const TemporaryFile errors = temporary_file();
  SpawnActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), ::fileno(output.get()), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), ::fileno(errors.get()), STDERR_FILENO);

  std::vector<std::string> copies = words;  // posix_spawn wants words that it could change
  std::vector<char*> pointers;
  pointers.reserve(copies.size() + 1);
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int problem = ::posix_spawnp(&process, pointers[0], actions.get(), nullptr, pointers.data(), environ);
  if (problem != 0) throw Error(words.at(0) + ": cannot be started: " + std::system_category().message(problem));

  const int status = wait_for(process, words.at(0), longest);
  constexpr int signalled = 128;
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
  result.output = content_of(output.get());
  result.errors = content_of(errors.get());
  return result;
}

}  // namespace hiple
