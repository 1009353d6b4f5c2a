#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hiple::process {

/// The memory cgroup of this process, of version 2 or 1, as the kernel shows it: the limit that a scheduler gives a job's tasks,
/// and how often the kernel has ended a process for it. The engines of a rank are in the rank's group.
class MemoryGroup {
 public:
  /// Nothing where there is none, or it cannot be read. `proc` and `groups`: where these are mounted.
  static std::optional<MemoryGroup> of_this_process(const std::filesystem::path& proc = "/proc",
                                                    const std::filesystem::path& groups = "/sys/fs/cgroup");

  /// How often the kernel has ended a process of this group for want of memory (memory.events, memory.oom_control: oom_kill).
  [[nodiscard]] std::uint64_t oom_kills() const;
  /// Bytes; nothing where there is no limit.
  [[nodiscard]] std::optional<std::uint64_t> limit() const;
  /// Bytes in use.
  [[nodiscard]] std::uint64_t in_use() const;

 private:
  MemoryGroup(std::filesystem::path folder, bool second) : folder_(std::move(folder)), second_(second) {}

  std::filesystem::path folder_;
  bool second_;  ///< version 2
};

/// How often the kernel of this host has ended a process for want of memory (/proc/vmstat), whoever's.
std::uint64_t oom_kills_of_host(const std::filesystem::path& proc = "/proc");

}  // namespace hiple::process
