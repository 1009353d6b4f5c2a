#include "report/rank_seconds.hpp"

#include <fmt/format.h>

#include "report/text_table.hpp"

namespace hiple::report {

std::string rank_seconds_text(const RankSeconds& seconds) {
  const double all = seconds.useful + seconds.repeated + seconds.waiting + seconds.lost;
  const auto part = [all](double value) {
    return seconds_text(value) + (all > 0 ? fmt::format(" ({:.0f} %)", 100 * value / all) : std::string());
  };
  return fmt::format("rank-seconds: useful {}, repeated {}, waiting {}, lost {}; {} attempts to train an engine, {} failed\n",
                     part(seconds.useful), part(seconds.repeated), part(seconds.waiting), part(seconds.lost), seconds.attempts,
                     seconds.failed_attempts);
}

}  // namespace hiple::report
