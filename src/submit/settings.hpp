#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace hiple::submit {

/// How jobs are to be started here: from a site file, then from the command line.
struct Settings {
  std::string launch = "srun";  ///< of an MPI job: srun (with pmix), mpirun
  std::optional<std::string> partition, account, qos, constraint;
  std::optional<std::string> time;    ///< as sbatch reads it; nothing: the partition's
  std::optional<std::string> memory;  ///< a CPU: 2G
  std::int64_t cpus_per_task = 1;
  std::int64_t gpus_per_task = 0;
  std::int64_t restarts = 100;                                   ///< how often a job is queued again at its time limit
  std::vector<std::string> modules;                              ///< for `module load`
  std::vector<std::pair<std::string, std::string>> environment;  ///< name, value
};

/// Reads a site file (YAML):
///   site: 1
///   partition: gpu          # also account, qos, constraint, time, memory, cpus_per_task, gpus_per_task, restarts, launch
///   modules: [gcc/12, openmpi]
///   environment: {OMP_NUM_THREADS: "1"}
/// Throws InputError with every problem.
Settings load_site(const std::filesystem::path& path);

/// Gathers what is wrong with values that sbatch would be given. `place`: where they come from, of one that is not of a file.
void check_settings(const Settings& settings, const Place& place, Problems& problems);

}  // namespace hiple::submit
