#include "base/command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

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

}  // namespace

CommandResult run_command(const std::vector<std::string>& words) {
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

  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw Error(words.at(0) + ": cannot be waited for: " + std::system_category().message(errno));
  constexpr int signalled = 128;
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
  result.output = content_of(output.get());
  result.errors = content_of(errors.get());
  return result;
}

}  // namespace hiple
