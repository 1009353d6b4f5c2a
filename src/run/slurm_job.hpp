#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hiple {

/// A start of a Slurm job. The number stays when the job is queued again; `restart` counts.
struct SlurmJob {
  std::string id;            ///< empty: none
  std::string step;          ///< of srun, and of the nodes that mpirun uses; empty in the batch script
  std::int64_t restart = 0;  ///< how often the job was queued again before this start
};

/// By the environment; nothing outside of Slurm.
std::optional<SlurmJob> this_slurm_job();

/// Whether `other` is an earlier start of the job that `now` is. Slurm has ended it before it started the job again.
bool is_earlier_start(const SlurmJob& other, const SlurmJob& now);

/// Whether Slurm knows that this start is over. False where it cannot be asked (no squeue, no answer). Takes some milliseconds.
bool slurm_says_ended(const SlurmJob& job);

}  // namespace hiple
