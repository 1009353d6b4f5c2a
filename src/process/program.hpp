#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "process/descriptor.hpp"

namespace hiple::process {

/// What to start.
struct ProgramStart {
  std::filesystem::path program;         ///< not looked up in PATH
  std::vector<std::string> words;        ///< the program's arguments, its own name first
  std::vector<std::string> environment;  ///< "NAME=VALUE", all of it
  std::filesystem::path folder;          ///< where it runs
  int held = -1;  ///< a descriptor that is open as long as anything of it lives; the program itself does not get it
};

/// How a program ended.
struct ProgramEnd {
  int status = 0;           ///< as wait(2) says
  std::size_t orphans = 0;  ///< processes that it left behind, which were ended then
};

/// A program with everything that it starts. A keeper, a process between it and this one, is the new parent of all that loses
/// its own (PR_SET_CHILD_SUBREAPER), so that no descendant gets away: all of them are ended (SIGKILL) when the program has ended,
/// when end() is called, and when this process is gone, however that came about. The program has a session and a process group of
/// its own, no standard input, this process's output, and no other descriptor. Filters of seccomp hold for all of it.
class Program {
 public:
  /// This process should have one thread only: it forks. Throws Error where the program cannot be started.
  explicit Program(const ProgramStart& start);
  /// Ends all of it.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// How it ended, when everything that it started is gone as well; nothing while it goes on. Waits up to `longest`. Throws Error
  /// where the keeper was ended by somebody.
  std::optional<ProgramEnd> ended(std::chrono::milliseconds longest);
  /// To the program's process group.
  void signal(int number) const;
  /// Ends all of it, and returns when it is gone.
  void end();
  /// Of the program itself.
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  Descriptor socket_;
  pid_t keeper_ = -1, process_ = -1;
};

/// The file that `name` starts: `name` itself, from `folder` on, where it has a slash, else the first one in PATH that may be
/// executed. Empty where there is none.
std::filesystem::path find_program(const std::string& name, const std::filesystem::path& folder);

}  // namespace hiple::process
