#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judgment/judgment_stream.hpp"
#include "run/identity.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "run/run_table.hpp"

namespace hiple {

/// What the integrator has of an engine: judgments, or the reason why there are none.
struct Arrival {
  std::string engine;
  std::optional<Judgments> judgments;
  std::shared_ptr<JudgmentStream> rows;  ///< where the table is not in memory: then `judgments` has all but the cases
  std::string sha256;                    ///< of the judgments file
  std::string reason;                    ///< why not available; empty where it is
};

/// Gathers judgments from files. An engine has arrived when its judgments file is there, whole, and made from this
/// configuration and data, or when its FAILED is there. Anything else may still change: it is looked at again.
class Collector {
 public:
  /// `lost`: asked about each engine that has not arrived: why it never will ("rank 3 is gone"); an empty text while it may.
  /// Without it every engine may still come, from a job that is started again.
  using Lost = std::function<std::string(std::size_t engine)>;
  /// Of a table that is not in memory, neither are the judgments. Throws InputError: an engine that was not asked about all of
  /// its cases, which only a run in memory can ask.
  Collector(const PreparedRun& run, const RunDirectory& directory, RunTable& table, Lost lost = {});

  /// Looks at the files of every engine that has not arrived; how many arrived just now.
  std::size_t look();
  [[nodiscard]] std::size_t total() const { return arrivals_.size(); }
  [[nodiscard]] std::size_t available() const;
  [[nodiscard]] std::size_t failed() const;
  [[nodiscard]] std::size_t pending() const { return total() - available() - failed(); }
  [[nodiscard]] std::vector<std::string> pending_names() const;

  /// Everything that arrived, in the order of the configuration; those still pending with `reason`, and with what was wrong
  /// with the file that is there, if any.
  [[nodiscard]] std::vector<Arrival> take(const std::string& reason) &&;

 private:
  void look_at(std::size_t index);
  bool take_judgments(std::size_t index);

  RunDirectory directory_;
  Lost lost_;
  bool in_memory_;
  std::vector<Arrival> arrivals_;
  std::vector<Identity> identities_;
  std::vector<std::string> problems_;
};

/// Why nobody trains an engine any more: the process that held its lock is known to be gone. Empty where it may be alive.
std::string gone_owner(const RunDirectory& directory, const std::string& engine);

/// How long the integrator waits, and what it does meanwhile.
struct WaitSettings {
  double deadline = 0;                            ///< seconds from now
  std::optional<std::size_t> quorum;              ///< enough engines; nothing: all
  std::function<bool()> told;                     ///< polled every 20 ms: whether somebody said "look now"; may be empty
  std::function<void(const Collector&)> waiting;  ///< every 10 s, and when an engine arrives; may be empty
};

/// Waits, asleep but for a moment every 20 ms, until no engine is pending, the quorum is there, or the deadline has passed.
/// Files are looked at twice a second and for a while after every "look now": a network file system may show a file later than
/// a message tells of it. Returns all engines in the order of the configuration.
std::vector<Arrival> wait_for_engines(Collector collector, const WaitSettings& settings);

/// The settings that run.yaml asks for.
WaitSettings wait_settings(const RunConfig& config);

}  // namespace hiple
