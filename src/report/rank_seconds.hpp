#pragma once

#include <cstdint>
#include <string>

namespace hiple::report {

/// Where the time of a run's ranks went, in rank-seconds.
struct RankSeconds {
  double useful = 0;                                ///< work that the result rests on
  double repeated = 0;                              ///< work that was lost in a failure and done again
  double waiting = 0;                               ///< asleep, or starting and ending
  double lost = 0;                                  ///< nothing came of it
  std::uint64_t attempts = 0, failed_attempts = 0;  ///< to train an engine
};

/// "rank-seconds: useful 12.3 s (81 %), repeated 0.4 s (3 %), ...": one line.
std::string rank_seconds_text(const RankSeconds& seconds);

}  // namespace hiple::report
