#include "mpi/launch.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::mpi {

namespace {

int number(const Environment& environment, const std::string& name, int fallback) {
  const auto text = environment(name);
  if (!text) return fallback;
  const auto value = parse_integer(*text);
  constexpr std::int64_t largest = 1 << 24;
  if (!value || *value < 0 || *value > largest)
    throw InputError(Place{"environment"}, name + "=" + *text + " is no rank or count", {}, "start again with mpirun or srun");
  return static_cast<int>(*value);
}

Launch open_mpi(const Environment& environment) {
  Launch launch;
  launch.launcher = "Open MPI";
  launch.rank = number(environment, "OMPI_COMM_WORLD_RANK", 0);
  launch.size = number(environment, "OMPI_COMM_WORLD_SIZE", 1);
  launch.local_rank = number(environment, "OMPI_COMM_WORLD_LOCAL_RANK", 0);
  launch.local_size = number(environment, "OMPI_COMM_WORLD_LOCAL_SIZE", 0);
  launch.job = environment("PMIX_NAMESPACE").value_or(environment("OMPI_MCA_ess_base_jobid").value_or(""));
  return launch;
}

/// Tasks of the step on this node: its entry in SLURM_STEP_TASKS_PER_NODE, which is written as "4(x2),3". 0 where it is not told.
int tasks_here(const Environment& environment) {
  int node = number(environment, "SLURM_NODEID", 0);
  for (const std::string& entry : split(environment("SLURM_STEP_TASKS_PER_NODE").value_or(""), ',')) {
    const auto mark = entry.find("(x");
    const auto tasks = parse_integer(entry.substr(0, mark));
    const auto nodes = mark == std::string::npos ? std::optional<std::int64_t>(1)
                                                 : parse_integer(entry.substr(mark + 2, entry.size() - mark - 3));
    if (!tasks || !nodes) return 0;
    if (node < *nodes) return static_cast<int>(*tasks);
    node -= static_cast<int>(*nodes);
  }
  return 0;
}

/// srun, with or without PMI; `tasks` of the step, or of the allocation where no step is named.
Launch slurm(const Environment& environment, bool has_pmi) {
  Launch launch;
  launch.launcher = "Slurm";
  launch.rank = number(environment, "SLURM_PROCID", 0);
  launch.size = number(environment, "SLURM_STEP_NUM_TASKS", number(environment, "SLURM_NTASKS", 1));
  launch.local_rank = number(environment, "SLURM_LOCALID", 0);
  launch.local_size = tasks_here(environment);
  launch.job = environment("SLURM_JOB_ID").value_or("") + "." + environment("SLURM_STEP_ID").value_or("");
  launch.has_pmi = has_pmi;
  return launch;
}

Launch other(const Environment& environment, const std::string& launcher, const std::string& prefix) {
  Launch launch;
  launch.launcher = launcher;
  launch.rank = number(environment, prefix + "RANK", 0);
  launch.size = number(environment, prefix + "SIZE", 0);
  launch.local_rank = number(environment, "MPI_LOCALRANKID", 0);
  launch.local_size = number(environment, "MPI_LOCALNRANKS", 0);
  launch.job = environment("PMIX_NAMESPACE").value_or(environment("PMI_JOBID").value_or(""));
  return launch;
}

void check(const Launch& launch) {
  if (launch.size != 0 && launch.rank >= launch.size)
    throw InputError(Place{"environment"},
                     launch.launcher + " says rank " + std::to_string(launch.rank) + " of " + std::to_string(launch.size), {},
                     "start again with mpirun or srun");
}

}  // namespace

std::optional<Launch> detect_launch(const Environment& environment) {
  const bool pmix = environment("PMIX_RANK").has_value();
  const bool pmi = environment("PMI_RANK").has_value();
  std::optional<Launch> launch;
  if (environment("OMPI_COMM_WORLD_SIZE")) {
    launch = open_mpi(environment);
  } else if (number(environment, "SLURM_STEP_NUM_TASKS", number(environment, "SLURM_NTASKS", 1)) > 1) {
    launch = slurm(environment, pmix || pmi);
  } else if (pmix) {
    launch = other(environment, "PMIx", "PMIX_");
  } else if (pmi) {
    launch = other(environment, "PMI", "PMI_");
  }
  if (launch) check(*launch);
  return launch;
}

void check_launch(const Launch& launch, std::optional<int> mpi_size) {
  const bool alone = mpi_size ? *mpi_size == 1 : !launch.has_pmi;
  if (launch.size > 1 && alone)
    throw InputError(
        Place{"launch"},
        launch.launcher + " started " + std::to_string(launch.size) + " copies of this program, but MPI sees one process",
        "each copy would believe that it is alone, and all would write the same files",
        "use srun --mpi=pmix or mpirun; for one process, srun -n 1 or mpirun -n 1");
  if (mpi_size && launch.size > 1 && *mpi_size != launch.size)
    throw InputError(
        Place{"launch"},
        launch.launcher + " started " + std::to_string(launch.size) + " processes, MPI sees " + std::to_string(*mpi_size), {},
        "start again with mpirun or srun --mpi=pmix");
}

Seat seat_of(const std::optional<Launch>& launch, bool last_decides) {
  if (!launch) return {};
  const bool decider_here = last_decides && launch->size > 1 && launch->local_size == launch->size;
  return {launch->local_rank, std::max(1, launch->local_size - (decider_here ? 1 : 0))};
}

}  // namespace hiple::mpi
