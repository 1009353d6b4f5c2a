#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process/descriptor.hpp"

namespace hiple::process {

/// The descriptor at which a child finds its pulse.
inline constexpr int pulse_descriptor = 3;

/// Starts children for a process that must not fork: one that uses MPI. A small program, `hiple-spawner`, is started before
/// MPI_Init and does it on request, one child at a time. It maps no MPI, has one thread, and a child of it
///  - dies with it, and it with this process: PR_SET_PDEATHSIG with a look at the parent, and the closed socket;
///  - inherits nothing: no descriptor but its pulse, its output and /dev/null, no variable of Open MPI, PMIx or PMI;
///  - opens no internet socket (process/sandbox.hpp);
///  - is the first that the kernel kills when memory runs out.
class Spawner {
 public:
  /// Throws Error where the program cannot be started.
  explicit Spawner(std::filesystem::path program);
  /// Ends the spawner, and its child with it.
  ~Spawner();
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  /// Starts `words` (a program's path and its arguments). The child's standard output and error are `output`. Its process
  /// number; nothing where the spawner is gone. Throws Error where the program cannot be started.
  std::optional<pid_t> start(const std::vector<std::string>& words, int pulse, int output);

  /// Sends the child a signal, if it is still there.
  void signal(int number) const;

  /// How the child ended, as wait(2) says; nothing while it goes on. Waits up to `longest`, or until `also` can be read.
  std::optional<int> ended(std::chrono::milliseconds longest, int also = -1);

  /// Whether the spawner itself has gone. Its child is dead then, or about to be.
  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] pid_t process() const { return process_; }

  /// Counts it as gone, with a child that cannot be ended.
  void abandon();

  /// Starts another one in the place of one that is gone.
  void revive();

 private:
  void launch();
  void reap();

  std::filesystem::path program_;
  Descriptor socket_;
  pid_t process_ = -1;
  bool lost_ = false;
};

/// So many spawners, each for one child at a time.
using Spawners = std::vector<std::unique_ptr<Spawner>>;

/// The spawner's program, after its start: serves requests on `socket` until that is closed. `parent`: the process that started
/// it. The exit status.
int serve(int socket, pid_t parent);

/// This process's environment without what launchers leave in it, as "NAME=VALUE".
std::vector<std::string> clean_environment();

/// "exit status 7", "signal 9 (Killed)": what wait(2) said.
std::string end_text(int status);

}  // namespace hiple::process
