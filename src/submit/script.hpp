#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "submit/settings.hpp"

namespace hiple::submit {

/// What the scripts call and work on; absolute paths.
struct Installation {
  std::filesystem::path programs;  ///< the folder of `hiple`
  std::filesystem::path jobs;      ///< the folder of run.sh, tasks.sh, train.sh and resumable.sh
};

struct RunToSubmit {
  std::string name;                 ///< of the run; letters, digits, _-.
  std::filesystem::path directory;  ///< of the run, absolute, with its run.yaml
  std::filesystem::path folder;     ///< for the scripts and what they print
  std::filesystem::path jobs = {};  ///< the record of the jobs' numbers
  bool on_demand = false;           ///< the law may ask engines for more judgments
};

/// One MPI job of so many tasks: all but the last train, the last is the law.
std::string job_script(const RunToSubmit& run, int tasks, const Settings& settings, const Installation& installation);

/// One job without MPI: so many tasks that train shares of the plan, and then the law.
std::string tasks_script(const RunToSubmit& run, int tasks, const Settings& settings, const Installation& installation);

/// An array of tasks, each of which trains engines in turn; `engines` of each task.
std::string array_script(const RunToSubmit& run, const std::vector<std::vector<std::string>>& engines, const Settings& settings,
                         const Installation& installation);

/// The law, to be submitted behind the array. Where it asks for more judgments, it submits the array again, whose tasks judge
/// what is asked of their engines, and itself behind them.
std::string law_script(const RunToSubmit& run, const Settings& settings, const Installation& installation);

/// Names of the scripts.
inline constexpr const char* job_name = "job.sh";
inline constexpr const char* tasks_name = "tasks.sh";
inline constexpr const char* array_name = "engines.sh";
inline constexpr const char* law_name = "law.sh";

/// The words of an sbatch call for one of them. `after`: a job that must be over, however it ended; or empty.
std::vector<std::string> sbatch_words(const RunToSubmit& run, const std::string& script, const std::string& after = {});

/// The job's number from what sbatch --parsable printed: "17" or "17;cluster". Throws Error where it is none.
std::string job_number(const std::string& printed);

/// Throws InputError where Slurm or a script cannot be given this path: a backslash turns off the names that sbatch makes for its
/// output, and a control character could end a line.
void check_path(const std::filesystem::path& path);

}  // namespace hiple::submit
