#include "run/wall_limit.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple {

namespace {

/// Time to make a checkpoint, to decide with what is there, and to end in good order: a tenth of the whole, and never more.
constexpr double longest_margin = 60;

double seconds_since_1970() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

double margin(double whole) { return std::clamp(whole / 10, 0.0, longest_margin); }

}  // namespace

WallLimit::WallLimit(const RunConfig& config, const Environment& environment, double now) {
  if (config.time_limit > 0) stop_ = now + config.time_limit - margin(config.time_limit);
  const auto end = environment("SLURM_JOB_END_TIME");
  if (!end) return;
  const auto seconds = parse_real(*end);
  if (!seconds) throw InputError(Place{"environment"}, "SLURM_JOB_END_TIME=" + *end + " is no time");
  const double of_job = *seconds - margin(std::max(0.0, *seconds - now));
  stop_ = stop_ ? std::min(*stop_, of_job) : of_job;
}

WallLimit::WallLimit(const RunConfig& config) : WallLimit(config, process_environment(), seconds_since_1970()) {}

bool WallLimit::near() const { return near(seconds_since_1970()); }

}  // namespace hiple
