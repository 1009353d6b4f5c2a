#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "run/run_directory.hpp"

namespace hiple {

/// How often a rank shows itself: a quarter of the time after which it would count as lost, and not over ten seconds, or a
/// hundredth of a second for every rank, so that a run's folder sees 100 small writes a second at most.
std::chrono::duration<double> heartbeat_interval(int ranks, double lost_after);

/// A rank's sign of life for those on other hosts, who cannot see its process: a small file, heartbeats/R, whose content changes
/// as long as the rank's process lives and its host can write. A thread of its own writes it, whatever the rank does meanwhile;
/// it takes no signals. A write that fails is a sign that is missing, nothing more. The file goes with the object.
class Heartbeat {
 public:
  Heartbeat(const RunDirectory& directory, int rank, std::chrono::duration<double> interval);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void beat(int rank, std::uint64_t count) const;

  std::filesystem::path path_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: it uses the others
};

/// Looks whether other ranks still show themselves. No clocks are compared between hosts: a rank is silent as long as the content
/// of its file does not change in the eyes of this process. What could make a slow file system look like a dead host does not
/// count as silence: time in which this process did not look itself, and time in which its own sign, which takes the same way,
/// was not seen to change either.
class HeartbeatWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `ranks`: those to watch. `own`: that of this process, which has a Heartbeat. `limit`: seconds of silence after which a rank
  /// is lost.
  HeartbeatWatch(RunDirectory directory, const std::vector<int>& ranks, int own, double limit,
                 Clock::time_point now = Clock::now());

  /// Reads the files. To be called often; it reads a hundred times in the limit, and twice a second at most.
  void look(Clock::time_point now = Clock::now());

  /// "rank 3 on host node7 gave no sign of life for 300 s (integrate.lost_after)"; empty while it is not lost.
  [[nodiscard]] std::string lost(int rank) const;

 private:
  struct Sign {
    std::string content;
    std::string host;
    std::chrono::duration<double> silence{};
  };

  /// Where the rank's file has not changed, its silence grows by `gap`.
  void read(int rank, Sign& sign, std::chrono::duration<double> gap) const;

  RunDirectory directory_;
  int own_;
  double limit_;
  Clock::time_point last_look_;
  Sign own_sign_;
  std::map<int, Sign> signs_;
};

}  // namespace hiple
