#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "process/pulse.hpp"
#include "process/spawner.hpp"
#include "run/attempt_record.hpp"

namespace hiple {

/// How a watched process ended.
struct Ending {
  std::optional<int> status;  ///< as wait(2) says; nothing where the spawner was lost with it
  bool unending = false;      ///< it was killed and did not end: it hangs in the kernel, on a file system that does not answer
  bool stalled = false;       ///< it stood still, and was ended for it
  bool asked = false;         ///< somebody had asked it to stop
  std::string asked_why;      ///< who, where it was no signal
  double seconds = 0;         ///< from the start of the watch
  std::deque<std::string> last_lines;
};

/// What a watch goes by.
struct WatchSettings {
  double step_limit = 600;            ///< see stall_limit
  double end_within = 60;             ///< seconds from SIGKILL to the end of a process; one that takes longer hangs in the kernel
  std::function<std::string()> stop;  ///< see TrainSettings
  std::function<void(std::uint64_t step)> on_step;    ///< told of every step that was seen to be done; may be empty
  std::function<void(std::uint32_t stage)> on_stage;  ///< told of every stage that was seen to be begun; may be empty
};

/// Watches a child until it has ended: passes on what it says, line by line, to standard error; ends it where its pulse stands
/// still; hands on the signals that this process was sent (SIGUSR1: save; SIGTERM and others: stop, and be ended for good after
/// half a minute). Sleeps but for 20 looks a second.
Ending watch(process::Spawner& spawner, const process::Pulse& pulse, int output, const WatchSettings& settings);

}  // namespace hiple
