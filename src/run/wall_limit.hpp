#pragma once

#include <optional>

#include "base/environment.hpp"
#include "config/run_config.hpp"

namespace hiple {

/// The end of the time that a run has: `time_limit` of run.yaml, from when this process began, or the end of the Slurm job
/// (SLURM_JOB_END_TIME, seconds since 1970), whichever is earlier. Engines make a checkpoint and stop a while before.
class WallLimit {
 public:
  /// `now`: seconds since 1970. Throws InputError where the variable is no number.
  WallLimit(const RunConfig& config, const Environment& environment, double now);
  /// Of this process, from now on.
  explicit WallLimit(const RunConfig& config);

  /// Whether it is time to stop.
  [[nodiscard]] bool near(double now) const { return stop_ && now >= *stop_; }
  [[nodiscard]] bool near() const;
  /// Seconds since 1970; nothing without a limit.
  [[nodiscard]] std::optional<double> stop() const { return stop_; }

 private:
  std::optional<double> stop_;
};

}  // namespace hiple
