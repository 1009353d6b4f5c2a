#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace hiple::scaling {

/// A file of one u64 a rank (little endian, as the machine is), mapped into memory: how many steps a rank has done, for whoever
/// watches the file. Ranks of one host share it. Counting is one store: no system call, no message.
class StepCounter {
 public:
  /// Makes the file or takes the one that is there, and sets this rank's number to 0. Throws Error with the system's reason.
  StepCounter(const std::filesystem::path& path, int rank, int ranks);
  ~StepCounter();
  StepCounter(const StepCounter&) = delete;
  StepCounter& operator=(const StepCounter&) = delete;

  void set(std::uint64_t steps) { std::atomic_ref(*own_).store(steps, std::memory_order_relaxed); }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t* own_ = nullptr;
};

}  // namespace hiple::scaling
