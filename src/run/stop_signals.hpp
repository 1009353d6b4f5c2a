#pragma once

#include "engine/engine.hpp"

namespace hiple {

/// While it exists, the signals by which launchers and schedulers announce an end are taken as requests: SIGTERM, SIGINT and
/// SIGHUP to stop, SIGUSR1 to save. One at a time in a process.
class StopSignals {
 public:
  StopSignals();
  /// Gives the signals back their meaning. A stop that came meanwhile is not lost: see `pass_on`.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// What was asked for since this thread's last call: a thread for each engine, and a save is for all of them. A stop stays one.
  [[nodiscard]] static engine::Request take();
  [[nodiscard]] static bool stop_asked();

  /// Ends this process by the signal that asked it to stop, as if it had not been taken; returns where none did.
  static void pass_on();
};

}  // namespace hiple
