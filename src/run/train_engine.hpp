#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/placement.hpp"
#include "process/pulse.hpp"
#include "process/spawner.hpp"
#include "run/fault.hpp"
#include "run/phase.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct TrainSettings {
  int ranks = 1;        ///< of the whole job: how often progress may be written
  int rank = -1;        ///< of this process in the job, for those who look on; -1 without MPI
  std::string job;      ///< the launcher's name for the job, for locks
  PhaseObserver phase;  ///< train, judge, write
  /// After a step, or, where the engine has a process of its own, soon after it; may be empty; throwing fails the engine.
  std::function<void(std::uint64_t step)> on_step;
  Seat seat;                ///< of this process among those of its host: which device its engines get
  std::size_t at_once = 1;  ///< engines side by side, for whoever makes the spawners
  /// Each starts one engine at a time in a process of its own, so that as many are trained side by side. None: engines are
  /// trained in this process, one after another.
  std::span<const std::unique_ptr<process::Spawner>> spawners;
  /// Asked about once a second: a text is the reason why the engine should make a checkpoint and stop. May be empty.
  std::function<std::string()> stop;
  /// Before a request that was answered is taken away, by which others see the answer. May be empty.
  std::function<void()> answered;
  std::vector<Fault> faults;
};

/// Spawners for so many engines at once, and not for more than there are; none where run.yaml wants no processes. Before
/// MPI_Init: a process with MPI must not fork.
process::Spawners make_spawners(const RunConfig& config, std::size_t at_once);

/// What became of an engine.
struct EngineOutcome {
  enum class State { trained, reused, failed, interrupted };
  std::string engine;
  State state = State::trained;
  std::string reason;                    ///< of a failure or an interruption
  ExitStatus status = ExitStatus::done;  ///< of a failure: bad_input or failed; of an interruption: partial
  bool repeatable = false;               ///< of a failure: another attempt would come to the same
  std::vector<std::string> last_lines;   ///< of a failure: what its process said last
  double seconds = 0;                    ///< from reading the table to the judgments file
};

/// Trains one engine on the rows that its condition selects, judges the cases that it is asked about (all of the table, unless
/// judging is on demand), and leaves checkpoint, result, and last of all the judgments file. Judgments that are there already, of
/// the same configuration and data, are kept; where the law has left a request, they are added to, and the request is taken away.
/// What goes wrong ends in engines/E/FAILED and in the outcome, not in an exception; only a lock that another process
/// holds is thrown (InputError), since the engine is in good hands then. A signal that asked this process to stop ends it when
/// the engine has made its checkpoint.
EngineOutcome train_engine(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings);

/// Trains engines in their order, side by side where there are several spawners; each comes to the same bits as alone, and a
/// failure does not keep the next from its turn. Holds the locks of all of them from the
/// start, each until its engine is done; an engine that another process holds is left to it, and one whose turn comes when
/// `stop` has a reason is not begun.
std::vector<EngineOutcome> train_engines(const PreparedRun& run, const RunDirectory& directory,
                                         const std::vector<std::size_t>& engines, const TrainSettings& settings);

/// Engines that this process answers for. It holds their locks, so that others can see what became of them where it is gone.
class HeldEngines {
 public:
  /// Takes the lock of each; an engine that another process holds is left to it. Keeps references.
  HeldEngines(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::size_t>& engines,
              const TrainSettings& settings);
  ~HeldEngines();
  HeldEngines(const HeldEngines&) = delete;
  HeldEngines& operator=(const HeldEngines&) = delete;

  /// See train_engines. `keep`: holds on to the locks; else each is
  /// given back when its engine is done.
  std::vector<EngineOutcome> train(bool keep);
  /// Judges what the law asks for: each engine that is still held, has judged before and has a request. One that fails is not
  /// tried again.
  std::vector<EngineOutcome> answer();

 private:
  struct Held;
  EngineOutcome train_next(const Held& held, const TrainSettings& settings, process::Spawner* spawner) const;

  const PreparedRun& run_;
  const RunDirectory& directory_;
  const TrainSettings& settings_;
  std::vector<Held> held_;
};

/// The same work in the process that a spawner started for it, for one attempt. How it ends stands in the pulse, and only there:
/// it is for the rank that watches it to try again or to record a failure.
ExitStatus train_in_child(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                          const TrainSettings& settings, const process::Pulse& pulse, std::uint64_t attempt);

}  // namespace hiple
