#include "mpi/ledger/clock.hpp"

namespace hiple::mpi {

namespace {

template <class Duration>
std::int64_t nanoseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

}  // namespace

ClockAnchor::Reading ClockAnchor::read() {
  constexpr int readings = 5;
  Reading best;
  for (int i = 0; i < readings; ++i) {
    const auto before = std::chrono::steady_clock::now();
    const auto realtime = std::chrono::system_clock::now();
    const auto after = std::chrono::steady_clock::now();
    const std::int64_t took = nanoseconds(after - before);
    if (i == 0 || took < best.uncertainty) best = {before + (after - before) / 2, nanoseconds(realtime.time_since_epoch()), took};
  }
  return best;
}

Clock ClockAnchor::clock() const {
  const Reading now = read();
  const std::int64_t drift = (now.realtime - zero_.realtime) - nanoseconds(now.steady - zero_.steady);
  return {zero_.realtime, zero_.uncertainty, drift};
}

}  // namespace hiple::mpi
