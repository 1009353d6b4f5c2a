#include <spdlog/spdlog.h>

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "mpi/job.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/notice.hpp"
#include "run/engine_record.hpp"
#include "run/estimate.hpp"
#include "run/heartbeat.hpp"
#include "run/lock.hpp"
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

/// The last rank made the directory before any rank left MPI_Init; a network file system may show it later.
void wait_for_directory(const RunDirectory& directory) {
  constexpr auto longest = std::chrono::seconds(60);
  constexpr auto tick = std::chrono::milliseconds(50);
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!directory.holds_run() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(tick);
}

/// A waiting MPI_Finalize burns a core; so this rank comes to it only when the integrator is about to. The lock tells of an
/// integrator of this host that is gone without a word, and the heartbeat of one on another host.
void wait_for_end(const RunDirectory& directory, const Launch& launch, int integrator, double lost_after, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr auto tick = std::chrono::milliseconds(100);
  constexpr int check_lock_every = 10;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  HeartbeatWatch watch(directory, {integrator}, launch.rank, lost_after);
  for (int i = 1; Clock::now() < deadline; ++i) {
    if (std::filesystem::exists(directory.status())) return;
    if (i % check_lock_every == 0) {
      const auto holder = read_lock(directory.lock());
      if (!holder || !holder->may_be_alive()) return;
      watch.look();
      if (const std::string lost = watch.lost(integrator); !lost.empty()) {
        spdlog::error("{}: nobody will integrate; `hiple integrate` does it from the files", lost);
        return;
      }
    }
    std::this_thread::sleep_for(tick);
  }
}

}  // namespace

void run_trainer(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const std::vector<Fault>& faults,
                 process::Spawner* spawner) {
  Ledger& ledger = Ledger::of_this_process();
  const Plan plan = make_plan(engine_costs(run.config, run.schema), launch.size);
  const auto& engines = plan.engines.at(static_cast<std::size_t>(launch.rank));
  TrainSettings settings;
  settings.ranks = launch.size;
  settings.job = launch.job;
  watch(settings);
  settings.stop = reason_to_stop(run, directory);
  settings.faults = faults;
  settings.spawner = spawner;
  wait_for_directory(directory);
  const Heartbeat heartbeat(directory, launch.rank, heartbeat_interval(launch.size, run.config.integrate.lost_after));
  try {
    train_engines(run, directory, engines, settings);
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    record_lost(run, directory, engines, error.what());
  }

  ledger.enter(Phase::notify);
  constexpr double notice_limit = 5;  // seconds
  if (!send_notice(plan.integrator, launch.rank, notice_limit)) spdlog::warn("the integrator was not told; it looks by itself");
  ledger.enter(Phase::wait);
  make_folder(directory.rank_ledgers());
  write_ledger(directory.rank_ledger(launch.rank), {take_ledger(launch.rank)});
  constexpr double time_to_decide = 3600;  // seconds, beyond the deadline for engines
  wait_for_end(directory, launch, plan.integrator, run.config.integrate.lost_after,
               run.config.integrate.deadline + time_to_decide);
}

}  // namespace hiple::mpi
