#pragma once

#include <chrono>
#include <cstdint>

namespace hiple::mpi {

/// The two clocks of a process side by side, in nanoseconds. Times of one process come from the monotonic clock, which nobody
/// sets; to lay processes beside one another, each says where its zero lies on the real-time clock. Processes of one host share
/// that clock; between hosts it is as good as what keeps the hosts' clocks together, which nothing here measures.
struct Clock {
  std::int64_t realtime = 0;     ///< of the time line's zero, since 1970, UTC
  std::int64_t uncertainty = 0;  ///< of that reading: the time that it took
  std::int64_t drift = 0;        ///< how much further the real-time clock has come than the monotonic one since then
};

/// Reads both clocks, several times, and keeps the reading that took the least time.
class ClockAnchor {
 public:
  ClockAnchor() : zero_(read()) {}

  [[nodiscard]] std::chrono::steady_clock::time_point zero() const { return zero_.steady; }
  /// Seconds since the zero.
  [[nodiscard]] double seconds(std::chrono::steady_clock::time_point time) const {
    return std::chrono::duration<double>(time - zero_.steady).count();
  }
  /// With the drift up to now.
  [[nodiscard]] Clock clock() const;

 private:
  struct Reading {
    std::chrono::steady_clock::time_point steady;
    std::int64_t realtime = 0, uncertainty = 0;
  };
  static Reading read();

  Reading zero_;
};

}  // namespace hiple::mpi
