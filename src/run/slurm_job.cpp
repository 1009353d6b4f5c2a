#include "run/slurm_job.hpp"

#include <cstdlib>

#include "base/command.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::optional<SlurmJob> this_slurm_job() {
  SlurmJob job;
  job.id = variable("SLURM_JOB_ID");
  if (!parse_unsigned(job.id)) return std::nullopt;
  job.step = variable("SLURM_STEP_ID");
  job.restart = parse_integer(variable("SLURM_RESTART_COUNT")).value_or(0);
  return job;
}

bool is_earlier_start(const SlurmJob& other, const SlurmJob& now) {
  return !other.id.empty() && other.id == now.id && other.restart < now.restart;
}

bool slurm_says_ended(const SlurmJob& job) {
  if (!parse_unsigned(job.id)) return false;
  const auto now = this_slurm_job();
  if (now && is_earlier_start(job, *now)) return true;
  const bool step = parse_unsigned(job.step).has_value();
  if (now && now->id == job.id && (!step || now->step == job.step)) return false;
  try {
    // Lists what waits, runs or is about to end, and nothing that is over.
    const auto answer = step ? run_command({"squeue", "--noheader", "--steps=" + job.id + "." + job.step})
                             : run_command({"squeue", "--noheader", "--jobs=" + job.id});
    if (answer.status == 0) return trim(answer.output).empty();
    return answer.errors.find("Invalid job id") != std::string::npos;  // over for so long that Slurm has forgotten it
  } catch (const Error&) {
    return false;
  }
}

}  // namespace hiple
