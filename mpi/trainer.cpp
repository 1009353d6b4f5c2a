#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "law/model.hpp"
#include "mpi/job.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/notice.hpp"
#include "run/asked_cases.hpp"
#include "run/engine_record.hpp"
#include "run/estimate.hpp"
#include "run/heartbeat.hpp"
#include "run/lock.hpp"
#include "run/look_times.hpp"
#include "run/train_engine.hpp"
#include "run/wall_limit.hpp"

namespace hiple::mpi {

namespace {

/// Something outside an engine went wrong: engines of this rank that left neither judgments nor a failure get one, so that the
/// integrator need not wait for them.
void record_lost(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::size_t>& engines,
                 const std::string& reason) {
  for (const std::size_t index : engines) {
    const std::string& name = run.config.engines.at(index).name;
    if (!std::filesystem::exists(directory.judgments(name)) && !std::filesystem::exists(directory.failure(name)))
      write_failure(directory.failure(name), "its rank failed: " + reason);
  }
}

/// Ends a training when the run was decided without it (its deadline is over, or the quorum was there, and the job should not
/// outlast its result), and when the job's time is nearly over. The checkpoint stays; the next run goes on from there.
std::function<std::string()> reason_to_stop(const PreparedRun& run, const RunDirectory& directory) {
  return [status = directory.status(), limit = WallLimit(run.config)]() -> std::string {
    if (std::filesystem::exists(status)) return "the run was decided without it";
    return limit.near() ? "the time limit is near" : "";
  };
}

/// Nobody waits for an answer where the integrator is gone.
std::function<std::string()> reason_to_stop_answering(const PreparedRun& run, const RunDirectory& directory) {
  return [&, decided = reason_to_stop(run, directory)]() -> std::string {
    const auto holder = read_lock(directory.lock());
    return holder && holder->may_be_alive() ? decided() : "the integrator is gone";
  };
}

/// While this rank trains, a request to one of its engines says the same: the law asks when it waits for no training any more.
std::function<std::string()> reason_to_stop_training(const PreparedRun& run, const RunDirectory& directory,
                                                     const std::vector<std::size_t>& engines) {
  if (!run.config.integrate.on_demand()) return reason_to_stop(run, directory);
  return [&, decided = reason_to_stop(run, directory)]() -> std::string {
    const bool asked = std::any_of(engines.begin(), engines.end(),
                                   [&](std::size_t i) { return has_request(directory, run.config.engines.at(i).name); });
    return asked ? "the law decides without it" : decided();
  };
}

/// The last rank made the directory before any rank left MPI_Init; a network file system may show it later.
void wait_for_directory(const RunDirectory& directory) {
  constexpr auto longest = std::chrono::seconds(60);
  constexpr auto tick = std::chrono::milliseconds(50);
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!directory.holds_run() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(tick);
}

/// A waiting MPI_Finalize burns a core; so this rank comes to it only when the integrator is about to. The lock tells of an
/// integrator of this host that is gone without a word, and the heartbeat of one on another host. `work`: done between two looks,
/// every `tick`; may be empty.
struct WaitForEnd {
  int integrator = 0;
  double lost_after = 0, seconds = 0;
  std::chrono::milliseconds tick{100};
  std::function<void()> work = {};
};

void wait_for_end(const RunDirectory& directory, const Launch& launch, const WaitForEnd& wait) {
  using Clock = std::chrono::steady_clock;
  constexpr auto look_every = std::chrono::milliseconds(100), check_lock_every = std::chrono::milliseconds(1000);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait.seconds));
  HeartbeatWatch watch(directory, {wait.integrator}, launch.rank, wait.lost_after);
  for (auto next_look = Clock::now(), next_check = next_look + check_lock_every; Clock::now() < deadline;) {
    if (Clock::now() >= next_look) {
      if (std::filesystem::exists(directory.status())) return;
      next_look = Clock::now() + look_every;
    }
    if (Clock::now() >= next_check) {
      const auto holder = read_lock(directory.lock());
      if (!holder || !holder->may_be_alive()) return;
      watch.look();
      if (const std::string lost = watch.lost(wait.integrator); !lost.empty()) {
        spdlog::error("{}: nobody will integrate; `hiple integrate` does it from the files", lost);
        return;
      }
      next_check = Clock::now() + check_lock_every;
    }
    if (wait.work) wait.work();
    std::this_thread::sleep_for(wait.tick);
  }
}

/// Whether the integrator said "look now". Where that cannot be found out, this rank looks by itself.
bool was_told() {
  try {
    return receive_notices() > 0;
  } catch (const Error& error) {
    spdlog::debug("{}", error.what());
    return false;
  }
}

/// "Look now", to the integrator.
void notify(const Plan& plan, int rank) {
  constexpr double limit = 5;  // seconds
  Ledger::of_this_process().enter(Phase::notify);
  if (!send_notice(plan.integrator, rank, limit)) spdlog::warn("the integrator was not told; it looks by itself");
}

void leave_ledger(const RunDirectory& directory, int rank) {
  Ledger::of_this_process().enter(Phase::wait);
  make_folder(directory.rank_ledgers());
  write_ledger(directory.rank_ledger(rank), {take_ledger(rank)});
}

}  // namespace

void run_trainer(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const std::vector<Fault>& faults,
                 const process::Spawners& spawners) {
  const Plan plan = make_plan(engine_costs(run.config, run.schema), launch.size);
  const auto& engines = plan.engines.at(static_cast<std::size_t>(launch.rank));
  const bool on_demand = run.config.integrate.on_demand();
  TrainSettings settings;
  settings.ranks = launch.size;
  settings.rank = launch.rank;
  settings.job = launch.job;
  settings.seat = seat_of(launch, true);
  watch(settings);
  settings.stop = reason_to_stop_training(run, directory, engines);
  settings.faults = faults;
  settings.spawners = spawners;
  wait_for_directory(directory);
  const Heartbeat heartbeat(directory, launch.rank, heartbeat_interval(launch.size, run.config.integrate.lost_after));
  std::optional<HeldEngines> held;  // their locks tell the integrator that this rank can be asked
  try {
    held.emplace(run, directory, engines, settings).train(on_demand);
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    record_lost(run, directory, engines, error.what());
    held.reset();
  }

  notify(plan, launch.rank);
  leave_ledger(directory, launch.rank);
  constexpr double time_to_decide = 3600;  // seconds, beyond the deadlines for engines
  WaitForEnd wait{plan.integrator, run.config.integrate.lost_after, run.config.integrate.deadline + time_to_decide};
  if (!on_demand || !held) return wait_for_end(directory, launch, wait);

  // Ready: what the law asks for is judged between two looks, and the ledger knows of it before the answer can be seen.
  settings.stop = reason_to_stop_answering(run, directory);
  settings.answered = [&] {
    notify(plan, launch.rank);
    leave_ledger(directory, launch.rank);
  };
  wait.work = [&, looks = LookTimes()]() mutable {
    if (!looks.due(was_told())) return;
    if (!held->answer().empty()) Ledger::of_this_process().enter(Phase::wait);
  };
  wait.tick = LookTimes::tick;
  wait.seconds += (static_cast<double>(run.law.model().max_rounds) + 1) * run.config.integrate.deadline;
  wait_for_end(directory, launch, wait);
}

}  // namespace hiple::mpi
