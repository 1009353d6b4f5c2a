#pragma once

#include "base/error.hpp"
#include "mpi/launch.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "run/train_engine.hpp"

namespace hiple::mpi {

/// What the command line says of a job.
struct JobSettings {
  bool fresh = false;
  std::size_t at_once = 1;  ///< engines that a rank trains side by side
  std::vector<Fault> faults;
};

/// One rank's part of a run, from MPI_Init to MPI_Finalize. Ranks 0 .. size-2 train the engines that the plan gives them; the
/// last one integrates; one rank alone does everything. The integrator's exit status tells of the run; a trainer's is
/// `done` whatever became of its engines, since a launcher ends all ranks when one ends with another status.
/// Before MPI_Init, which no rank leaves before all have entered it, the last rank makes the directory ready, and every other one
/// starts its spawners, since a process with MPI must not fork.
ExitStatus run_job(const PreparedRun& run, const RunDirectory& directory, Launch launch, const JobSettings& job);

/// A trainer: trains its list without a call to MPI, tells the integrator, and waits, asleep, for the end of the run. Where
/// judging is on demand it stays ready meanwhile, and its engines judge what the law asks for. `spawners`: none where the engines
/// are trained in this process.
void run_trainer(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const std::vector<Fault>& faults,
                 const process::Spawners& spawners);

/// The integrator: waits for files, decides, writes, prints.
ExitStatus run_integrator(const PreparedRun& run, const RunDirectory& directory, const Launch& launch);

}  // namespace hiple::mpi
