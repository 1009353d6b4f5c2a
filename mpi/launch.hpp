#pragma once

#include <optional>
#include <string>

#include "base/environment.hpp"
#include "device/placement.hpp"

namespace hiple::mpi {

/// Who this process is, as its launcher says in the environment: known before MPI_Init and without a message.
struct Launch {
  std::string launcher;  ///< "Open MPI", "PMIx", "PMI", "Slurm"
  int rank = 0;
  int size = 1;
  int local_rank = 0;   ///< among the processes on this host: which device is its own
  int local_size = 0;   ///< processes on this host; 0 where the launcher does not say
  std::string job;      ///< the same on all ranks of a job and different from every other job's; may be empty
  bool has_pmi = true;  ///< whether the processes can find each other
};

/// Nothing where no launcher started this process: then it runs alone, without MPI. Throws InputError where a launcher's
/// variables contradict each other.
std::optional<Launch> detect_launch(const Environment& environment);

/// Throws InputError where the launcher started copies that cannot find each other (srun without PMI): each of them would
/// believe that it is alone and do all the work. `mpi_size`: of MPI_COMM_WORLD, once it is known.
void check_launch(const Launch& launch, std::optional<int> mpi_size = std::nullopt);

/// Where this process stands among those of its host that train; that of one which nobody launched, where there is no launch.
/// `last_decides`: the job's last rank does not train, and it is on this host where all ranks are; of a job on several hosts
/// nobody can tell which of them has it.
Seat seat_of(const std::optional<Launch>& launch, bool last_decides);

}  // namespace hiple::mpi
