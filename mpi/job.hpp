#pragma once

#include "base/error.hpp"
#include "mpi/launch.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple::mpi {

/// One rank's part of a run, from MPI_Init to MPI_Finalize. Ranks 0 .. size-2 train the engines that the plan gives them; the
/// last one integrates; one rank alone does everything in turn. The integrator's exit status tells of the run; a trainer's is
/// `done` whatever became of its engines, since a launcher ends all ranks when one ends with another status.
/// Before MPI_Init, which no rank leaves before all have entered it, the last rank makes the directory ready.
ExitStatus run_job(const PreparedRun& run, const RunDirectory& directory, Launch launch, bool fresh);

/// A trainer: trains its list without a call to MPI, tells the integrator, and waits, asleep, for the end of the run.
void run_trainer(const PreparedRun& run, const RunDirectory& directory, const Launch& launch);

/// The integrator: waits for files, decides, writes, prints.
ExitStatus run_integrator(const PreparedRun& run, const RunDirectory& directory, const Launch& launch);

}  // namespace hiple::mpi
