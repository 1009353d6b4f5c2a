#include "mpi/ledger/call_clock.hpp"

#include <fstream>
#include <string>

namespace hiple::mpi {

namespace {

using namespace std::chrono_literals;

[[maybe_unused]] constexpr auto baseline = 10ms;  ///< two readings this far apart give the rate within a few millionths
[[maybe_unused]] constexpr auto trusted = 50ms;   ///< within which that is a fraction of a microsecond
[[maybe_unused]] constexpr auto uncertain = 1us;  ///< a pair of readings that lies further apart is no anchor

#if defined(__x86_64__)
bool keeps_time_by_counter() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  return file >> name && name == "tsc";
}

/// Both clocks at one moment, known as well as the counter's distance around the reading says: between two instructions this
/// thread may have been put aside for milliseconds.
struct Reading {
  std::uint64_t ticks = 0, uncertainty = 0;
  CallClock::time_point time;
};

Reading read_both() {
  constexpr int tries = 5;
  Reading best;
  for (int i = 0; i < tries; ++i) {
    const std::uint64_t before = __rdtsc();
    const auto time = std::chrono::steady_clock::now();
    const std::uint64_t distance = __rdtsc() - before;
    if (i == 0 || distance < best.uncertainty) best = {before + distance / 2, distance, time};
  }
  return best;
}
#endif

}  // namespace

thread_local constinit CallClock::Anchor CallClock::anchor;

CallClock::time_point CallClock::held_to_steady_clock() {
#if defined(__x86_64__)
  static const bool usable = keeps_time_by_counter();
  if (!usable) return std::chrono::steady_clock::now();
  static const Reading first = read_both();  // of the process: the longer the distance, the better the rate
  const Reading now = read_both();
  const auto passed = std::chrono::nanoseconds(now.time - first.time);
  if (passed < baseline) return std::chrono::steady_clock::now();
  const double each = static_cast<double>(passed.count()) / static_cast<double>(now.ticks - first.ticks);
  const auto in_ticks = [each](std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(static_cast<double>(time.count()) / each);
  };
  anchor = {now.ticks, now.time, now.uncertainty < in_ticks(uncertain) ? in_ticks(trusted) : 0, each};
#endif
  return std::chrono::steady_clock::now();
}

}  // namespace hiple::mpi
