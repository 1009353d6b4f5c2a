#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hiple::mpi {

/// std::chrono::steady_clock in less than half the time, for the two readings that every call costs. Where the kernel itself
/// keeps its time by the processor's counter (clock source "tsc": one rate, the same on all cores), the counter is read here, and
/// held to steady_clock again after at most 50 ms of each thread; elsewhere it is steady_clock.
class CallClock {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  static time_point now() {
#if defined(__x86_64__)
    const std::uint64_t passed = __rdtsc() - anchor.ticks;
    if (passed < anchor.valid) return anchor.time + std::chrono::nanoseconds(to_nanoseconds(passed, anchor.nanoseconds_a_tick));
#endif
    return held_to_steady_clock();
  }

 private:
  struct Anchor {
    std::uint64_t ticks = 0;
    time_point time;
    std::uint64_t valid = 0;  ///< ticks from here on that may be told by the counter; 0: none
    double nanoseconds_a_tick = 0;
  };

  static std::int64_t to_nanoseconds(std::uint64_t ticks, double each) {
    return static_cast<std::int64_t>(static_cast<double>(ticks) * each);
  }
  /// Reads both clocks, and lets the counter tell the next 50 ms, once the two have been seen far enough apart to know its rate.
  static time_point held_to_steady_clock();

  static thread_local constinit Anchor anchor;
};

}  // namespace hiple::mpi
