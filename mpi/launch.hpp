#pragma once

#include <functional>
#include <optional>
#include <string>

namespace hiple::mpi {

/// Who this process is, as its launcher says in the environment: known before MPI_Init and without a message.
struct Launch {
  std::string launcher;  ///< "Open MPI", "PMIx", "PMI", "Slurm"
  int rank = 0;
  int size = 1;
  int local_rank = 0;   ///< among the processes on this host: which device is its own
  std::string job;      ///< the same on all ranks of a job and different from every other job's; may be empty
  bool has_pmi = true;  ///< whether the processes can find each other
};

/// A variable's value, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
Environment process_environment();

/// Nothing where no launcher started this process: then it runs alone, without MPI. Throws InputError where a launcher's
/// variables contradict each other.
std::optional<Launch> detect_launch(const Environment& environment);

/// Throws InputError where the launcher started copies that cannot find each other (srun without PMI): each of them would
/// believe that it is alone and do all the work. `mpi_size`: of MPI_COMM_WORLD, once it is known.
void check_launch(const Launch& launch, std::optional<int> mpi_size = std::nullopt);

}  // namespace hiple::mpi
