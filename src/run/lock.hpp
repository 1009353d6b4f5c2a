#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "run/slurm_job.hpp"

namespace hiple {

/// A process that works on a folder's files.
struct LockHolder {
  std::string host;
  std::int64_t process = 0;
  std::uint64_t start = 0;  ///< when the process began, in the kernel's ticks since boot: process numbers come round again
  std::string job;          ///< the launcher's name for the whole job, the same on all ranks; empty without a launcher
  SlurmJob slurm;           ///< that it belongs to, if any
  std::string since;        ///< UTC

  /// "process 4711 on host node7 since ..."
  [[nodiscard]] std::string text() const;
  /// False only where it is known: the process is of this host and gone, or of an earlier start of this Slurm job.
  [[nodiscard]] bool may_be_alive() const;
};

/// What is written in a lock file; nothing if there is none.
std::optional<LockHolder> read_lock(const std::filesystem::path& path);

/// What this process writes into a lock file: one line of JSON.
std::string lock_record(const std::string& job = {});

/// Keeps other processes from writing the same files. The lock is a file with the holder's host and process; it appears whole
/// (by link(2), which also works on NFS) and goes with the object. One whose process is gone is taken over, by one process
/// alone; where that is on another host, Slurm is asked.
class Lock {
 public:
  /// Throws InputError where a process that may be alive holds it; `what` names what it locks.
  Lock(std::filesystem::path path, const std::string& what, const std::string& job = {});
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// False where somebody took the file away, or put another one in its place.
  [[nodiscard]] bool is_mine() const;

 private:
  std::filesystem::path path_;
};

/// Removes the lock of a process that is gone, if it is one.
void remove_stale_lock(const std::filesystem::path& path);

/// Throws InputError, as Lock would, where a process of another job holds the lock.
void check_lock(const std::filesystem::path& path, const std::string& what, const std::string& job);

}  // namespace hiple
