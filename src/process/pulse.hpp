#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "process/descriptor.hpp"

namespace hiple::process {

/// Memory that an engine's process and its rank share: the engine beats in it, the rank looks. No call to the system is needed
/// for a beat, and what was written stays readable however the engine's process ends.
///
/// Times are nanoseconds of CLOCK_MONOTONIC, which all processes of a host share.
struct PulseBlock {
  std::atomic<std::uint64_t> beats;        ///< steps done by this process, and everything else that shows that it goes on
  std::atomic<std::uint64_t> step;         ///< of the training; with what was done before this process
  std::atomic<std::uint64_t> begun_step;   ///< where this process took up the training
  std::atomic<std::int64_t> longest_step;  ///< nanoseconds
  std::atomic<std::int64_t> last_beat;     ///< when
  std::atomic<std::int64_t> last_save;     ///< when the last checkpoint was complete; 0 before the first
  std::atomic<std::uint32_t> training;     ///< 1 while steps are made
  std::atomic<std::uint32_t> stage;        ///< what the process does, as its owner counts: 0 at first, and up
  std::atomic<std::uint32_t> verdict;      ///< how the process says that it ended, before it ends; 0 before it does
  char reason[2048];                       ///< with the verdict; ends with a zero
};

/// A mapped PulseBlock.
class Pulse {
 public:
  /// New memory, all zeros. Throws Error.
  Pulse();
  /// The memory behind a descriptor that this process was given. Throws Error where it is none.
  static Pulse attach(int descriptor);
  ~Pulse();
  Pulse(Pulse&& other) noexcept;
  Pulse& operator=(Pulse&&) = delete;

  [[nodiscard]] int descriptor() const { return memory_.get(); }
  PulseBlock* operator->() const { return block_; }

  /// The engine's side: shows that it goes on.
  void beat() const;
  /// A step was done.
  void step(std::uint64_t step) const;
  /// The last words. A reason that is too long is cut.
  void end(std::uint32_t verdict, const std::string& reason) const;
  /// The rank's side. A reason that a dying process left half written is cut at its end.
  [[nodiscard]] std::string reason() const;

 private:
  explicit Pulse(Descriptor memory);

  Descriptor memory_;
  PulseBlock* block_ = nullptr;
};

/// Now, in nanoseconds of CLOCK_MONOTONIC.
std::int64_t monotonic_now();

}  // namespace hiple::process
