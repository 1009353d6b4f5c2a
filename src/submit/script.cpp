#include "submit/script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "submit/shell.hpp"
#include "submit/time_limit.hpp"

namespace hiple::submit {

namespace {

void directive(std::string& script, const std::string& name, const std::optional<std::string>& value) {
  if (value) script += "#SBATCH --" + name + "=" + *value + "\n";
}

/// What every script begins with.
std::string head(const RunToSubmit& run, const std::string& what, const std::string& suffix, const Settings& settings) {
  std::string script = "#!/usr/bin/env bash\n# " + what + " Written by `hiple submit`.\n";
  directive(script, "job-name", "hiple-" + run.name + suffix);
  directive(script, "partition", settings.partition);
  directive(script, "account", settings.account);
  directive(script, "qos", settings.qos);
  directive(script, "constraint", settings.constraint);
  directive(script, "time", settings.time);
  directive(script, "mem-per-cpu", settings.memory);
  script += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  return script;
}

/// What every job that trains needs beside: its size, and a word before its end.
std::string trainer_head(const Settings& settings, int tasks) {
  const auto limit = settings.time ? parse_time_limit(*settings.time) : std::nullopt;
  std::string script = fmt::format("#SBATCH --ntasks={}\n#SBATCH --cpus-per-task={}\n", tasks, settings.cpus_per_task);
  if (settings.gpus_per_task > 0) script += fmt::format("#SBATCH --gpus-per-task={}\n", settings.gpus_per_task);
  return script + fmt::format("#SBATCH --signal=B:USR1@{}\n", warning_seconds(limit));
}

std::string surroundings(const Settings& settings, const Installation& installation) {
  std::string script = "set -euo pipefail\n";
  for (const std::string& module : settings.modules) script += "module load " + shell_word(module) + "\n";
  for (const auto& [name, value] : settings.environment) script += "export " + name + "=" + shell_word(value) + "\n";
  return script + "export HIPLE_BIN_DIR=" + shell_word(installation.programs.string()) + "\n" +
         fmt::format("export HIPLE_RESTARTS={}\n", settings.restarts);
}

/// The words of a command that goes on after its job was ended.
std::string resumable(const Installation& installation, const std::string& program) {
  return "exec " + shell_word((installation.jobs / "resumable.sh").string()) + " " +
         shell_word((installation.jobs / program).string());
}

}  // namespace

std::string job_script(const RunToSubmit& run, int tasks, const Settings& settings, const Installation& installation) {
  std::string script =
      head(run, fmt::format("The run {} as one MPI job.", run.name), "", settings) + trainer_head(settings, tasks);
  script += "#SBATCH --no-kill\n" + surroundings(settings, installation);
  // Slurm limits the time, not run.sh.
  return script + resumable(installation, "run.sh") + fmt::format(" -t 0 -l {} -n {} ", settings.launch, tasks) +
         shell_word(run.directory.string()) + "\n";
}

std::string tasks_script(const RunToSubmit& run, int tasks, const Settings& settings, const Installation& installation) {
  std::string script =
      head(run, fmt::format("The run {} as one job without MPI.", run.name), "", settings) + trainer_head(settings, tasks);
  script += "#SBATCH --no-kill\n" + surroundings(settings, installation);
  return script + resumable(installation, "tasks.sh") + fmt::format(" -n {} ", tasks) + shell_word(run.directory.string()) + "\n";
}

std::string array_script(const RunToSubmit& run, const std::vector<std::vector<std::string>>& engines, const Settings& settings,
                         const Installation& installation) {
  std::string script = head(run, fmt::format("The engines of the run {}, an array.", run.name), "", settings);
  script += fmt::format("#SBATCH --array=0-{}\n", engines.size() - 1);
  script += trainer_head(settings, 1) + surroundings(settings, installation);
  script += "case $SLURM_ARRAY_TASK_ID in\n";
  for (std::size_t task = 0; task < engines.size(); ++task) {
    script += fmt::format("  {}) engines=(", task);
    for (std::size_t i = 0; i < engines[task].size(); ++i) script += (i == 0 ? "" : " ") + shell_word(engines[task][i]);
    script += ") ;;\n";
  }
  return script + "esac\n" + resumable(installation, "train.sh") + " " + shell_word(run.directory.string()) +
         " \"${engines[@]}\"\n";
}

std::string law_script(const RunToSubmit& run, const Settings& settings, const Installation& installation) {
  const std::string integrate =
      shell_word((installation.programs / "hiple").string()) + " integrate " + shell_word(run.directory.string());
  std::string script = head(run, fmt::format("The law of the run {}, behind its engines.", run.name), "-law", settings) +
                       "#SBATCH --ntasks=1\n" + surroundings(settings, installation);
  if (!run.on_demand) return script + "exec " + integrate + "\n";
  // The number of the array is known when the script runs.
  script += "status=0\n" + integrate + " || status=$?\n";
  script += "[ \"$status\" -eq 5 ] || exit \"$status\"\n";
  script += "# The law asks for more judgments: the engines again, and the law behind them.\n";
  auto law = sbatch_words(run, law_name);
  const std::string itself = shell_word(law.back());
  law.pop_back();
  script += "engines=$(" + shell_command(sbatch_words(run, array_name)) + ")\nengines=${engines%%;*}\n";
  script += "law=$(" + shell_command(law) + " --dependency=\"afterany:$engines\" " + itself + ")\nlaw=${law%%;*}\n";
  script += "printf '{\"jobs\": [\"%s\", \"%s\"]}\\n' \"$engines\" \"$law\" >" + shell_word(run.jobs.string()) + "\n";
  return script;
}

std::vector<std::string> sbatch_words(const RunToSubmit& run, const std::string& script, const std::string& after) {
  const std::string pattern = script == array_name ? "%A_%a.log" : "%j.log";
  std::vector<std::string> words = {"sbatch", "--parsable", "--output=" + output_path((run.folder / "").string()) + pattern};
  if (!after.empty()) words.push_back("--dependency=afterany:" + after);
  words.push_back((run.folder / script).string());
  return words;
}

std::string job_number(const std::string& printed) {
  std::string number = split(std::string(trim(printed)), ';').at(0);
  if (!parse_unsigned(number)) throw Error("sbatch did not say the number of the job but \"" + printable(printed) + "\"");
  return number;
}

void check_path(const std::filesystem::path& path) {
  const std::string text = path.string();
  const bool control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (control || text.find('\\') != std::string::npos)
    throw InputError(Place{printable(text)}, "cannot be given to Slurm", "its name holds a backslash or a control character",
                     "choose another --output, or rename the folder");
}

}  // namespace hiple::submit
