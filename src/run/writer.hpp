#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "config/run_config.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// What somebody does who waits for an engine's files.
struct WaitForWriter {
  /// Longer than a server of NFS keeps the locks of a host that is gone (90 s).
  std::chrono::milliseconds longest = std::chrono::seconds(120);
  std::function<void()> meanwhile;                   ///< called again and again; throwing ends the wait; may be empty
  std::function<void(const std::string& who)> told;  ///< once, where there is somebody to wait for; may be empty
};

/// The right to write an engine's files. No two processes have it at once, by construction: it is the kernel's lock on
/// engines/E/WRITER (base/file_lock.hpp), held by the process that trains and inherited by none. A process that was killed has
/// lost it; one that stands still keeps it, and whoever comes next waits, and is refused in the end. While it exists, nothing is
/// published in this process without a look whether WRITER is still the file that is locked: a writer whose WRITER was removed
/// or replaced cannot publish any more.
///
/// Where the file system has no locks this is refused, unless run.yaml says `file_locks: none`: then a file with the holder's
/// host and process stands for the lock, which is right on one host, and between hosts only as far as Slurm knows of the jobs.
class Writer {
 public:
  /// Throws InputError where another process has it for as long as this one waits, and where there are no locks.
  Writer(const RunConfig& config, const RunDirectory& directory, const std::string& engine, const WaitForWriter& wait);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes all that a run holds of its engines, each under its WRITER, for which it waits as a writer does. Throws InputError, as
/// Writer does, where one is being written.
void remove_engines(const RunConfig& config, const RunDirectory& directory, const WaitForWriter& wait);

}  // namespace hiple
