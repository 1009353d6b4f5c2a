#include "mpi/job.hpp"

#include <optional>

#include "mpi/ledger/records.hpp"
#include "mpi/rank_lines.hpp"
#include "mpi/session.hpp"
#include "run/devices.hpp"
#include "run/estimate.hpp"
#include "run/identity.hpp"
#include "run/integrate.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "run/run_alone.hpp"

namespace hiple::mpi {

namespace {

/// Where all ranks are on one host, each finds what all find, and what is wrong ends the job before it starts. On several hosts
/// devices may differ: a rank that only decides needs none, and for others their own engines are refused, one by one.
void settle_devices_of_rank(const PreparedRun& run, const Launch& launch) {
  const bool one_host = launch.size == 1 || (launch.size > 1 && launch.local_size == launch.size);
  if (!one_host && launch.rank == launch.size - 1) return;
  settle_devices(all_engines(run.config), seat_of(launch, true), one_host);
}

ExitStatus run_single(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const JobSettings& job,
                      const process::Spawners& spawners) {
  AloneSettings settings;
  settings.fresh = job.fresh;
  settings.train.faults = job.faults;
  settings.train.spawners = spawners;
  settings.train.job = launch.job;
  settings.train.seat = seat_of(launch, true);
  watch(settings.train);
  settings.watched = [&](report::Summary& summary) {
    const std::vector<RankLedger> ledgers = {take_ledger(launch.rank)};
    summary.ranks = rank_lines(ledgers, make_plan(engine_costs(run.config, run.schema), 1));
    add_certificate(summary, directory, write_records(run, directory, ledgers, 1));
  };
  return run_alone(run, directory, settings);
}

ExitStatus run_role(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const JobSettings& job,
                    const process::Spawners& spawners) {
  if (launch.size == 1) return run_single(run, directory, launch, job, spawners);
  if (launch.rank == launch.size - 1) return run_integrator(run, directory, launch);
  run_trainer(run, directory, launch, job.faults, spawners);
  return ExitStatus::done;
}

}  // namespace

ExitStatus run_job(const PreparedRun& run, const RunDirectory& directory, Launch launch, const JobSettings& job) {
  settle_devices_of_rank(run, launch);
  process::Spawners spawners;
  const bool only_integrates = launch.size > 1 && launch.rank == launch.size - 1;
  if (!only_integrates) spawners = make_spawners(run.config, job.at_once);
  std::optional<Session> session;
  if (launch.size == 0) {  // the launcher does not say how many there are
    session.emplace();
    launch.rank = session->rank();
    launch.size = session->size();
  }
  std::optional<Lock> lock;  // released before MPI_Finalize
  if (launch.size > 1) {
    check_directory(directory, run.config, job.fresh, launch.job);
    check_engines_free(directory, run, launch.job);
    if (launch.rank == launch.size - 1) {
      if (!job.fresh && holds_engines(directory, run)) {
        RunTable table(run, RunTable::usual_most, bound_processors());
        check_data(directory, run, [&](const auto& columns) { return table.slice(columns); });
      }
      lock.emplace(directory.lock(), "the run", launch.job);
      start_directory(directory, run, job.fresh);
    }
  }
  if (!session) session.emplace();
  check_launch(launch, session->size());
  session->set_exit_status(static_cast<int>(ExitStatus::failed));
  const ExitStatus status = run_role(run, directory, launch, job, spawners);
  session->set_exit_status(static_cast<int>(status));
  return status;
}

}  // namespace hiple::mpi
