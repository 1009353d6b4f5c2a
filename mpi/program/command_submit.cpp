#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/command.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "plan/plan.hpp"
#include "run/estimate.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "run/slurm_job.hpp"
#include "submit/script.hpp"
#include "submit/shell.hpp"

namespace hiple::program {

namespace {

struct SubmitOptions {
  RunOptions run;
  std::string mode = "array";
  bool dry_run = false;
  std::filesystem::path site;
  std::optional<std::string> partition, account, time, launch;
  std::optional<std::string> gpus_per_task, ntasks;
};

/// What was decided: scripts by name, in the order in which they are submitted, each behind the one before.
struct Submission {
  submit::RunToSubmit run;
  std::vector<std::pair<std::string, std::string>> scripts;
};

/// By default one array task an engine, up to what Slurm takes by default (MaxArraySize 1001).
constexpr std::size_t most_tasks = 1000;

std::int64_t read_count(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high,
                        Problems& problems) {
  const auto value = parse_integer(text);
  if (value && *value >= low && *value <= high) return *value;
  problems.add(Place{"hiple submit"}, option + " is \"" + text + "\"",
               fmt::format("it must be a whole number from {} to {}", low, high));
  return low;
}

submit::Settings settings_of(const SubmitOptions& options, Problems& problems) {
  constexpr std::int64_t most_gpus = 1024;
  submit::Settings settings = options.site.empty() ? submit::Settings{} : submit::load_site(options.site);
  if (options.partition) settings.partition = options.partition;
  if (options.account) settings.account = options.account;
  if (options.time) settings.time = options.time;
  if (options.launch) settings.launch = *options.launch;
  if (options.gpus_per_task)
    settings.gpus_per_task = read_count("--gpus-per-task", *options.gpus_per_task, 0, most_gpus, problems);
  submit::check_settings(settings, Place{"hiple submit"}, problems);
  return settings;
}

/// The folder of the scripts that jobs run: beside the programs, built or installed.
submit::Installation installation() {
  const auto programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto jobs = programs.parent_path() / "share" / "hiple" / "jobs";
  if (!std::filesystem::exists(jobs / "resumable.sh"))
    throw Error(jobs.string() + ": the scripts for jobs are not there; build or install HIPLE as a whole");
  return {programs, std::filesystem::canonical(jobs)};
}

std::vector<std::vector<std::string>> names_by_task(const PreparedRun& run, int tasks) {
  const Plan plan = make_plan(engine_costs(run.config, run.schema), tasks + 1);
  std::vector<std::vector<std::string>> names;
  for (int task = 0; task < tasks; ++task) {
    auto& mine = names.emplace_back();
    for (const std::size_t engine : plan.engines[static_cast<std::size_t>(task)]) mine.push_back(run.config.engines[engine].name);
  }
  return names;
}

Submission make_submission(const PreparedRun& run, const RunDirectory& directory, const SubmitOptions& options) {
  Problems problems;
  const submit::Settings settings = settings_of(options, problems);
  const std::size_t engines = run.config.engines.size();
  const bool array = options.mode == "array";
  const std::size_t most = options.mode == "job" ? engines + 1 : engines;  // more would have nothing to do
  std::size_t tasks = array ? std::min(engines, most_tasks) : most;
  if (options.ntasks)
    tasks = static_cast<std::size_t>(read_count("--ntasks", *options.ntasks, 1, static_cast<std::int64_t>(most), problems));
  problems.throw_if_any();

  const auto root = std::filesystem::absolute(directory.root()).lexically_normal();
  const RunDirectory target(root);
  Submission submission{{run.config.name, root, target.slurm(), target.slurm_jobs(), run.config.integrate.on_demand()}, {}};
  const submit::Installation here = installation();
  for (const auto& path : {root, here.programs, here.jobs}) submit::check_path(path);
  const int count = static_cast<int>(tasks);
  if (array) {
    submission.scripts = {{submit::array_name, submit::array_script(submission.run, names_by_task(run, count), settings, here)},
                          {submit::law_name, submit::law_script(submission.run, settings, here)}};
  } else if (options.mode == "tasks") {
    submission.scripts = {{submit::tasks_name, submit::tasks_script(submission.run, count, settings, here)}};
  } else {
    submission.scripts = {{submit::job_name, submit::job_script(submission.run, count, settings, here)}};
  }
  return submission;
}

void print_only(const Submission& submission) {
  std::string after;
  for (const auto& [name, script] : submission.scripts) {
    fmt::print("== {}\n{}== submitted by\n{}\n\n", (submission.run.folder / name).string(), script,
               submit::shell_command(submit::sbatch_words(submission.run, name, after)));
    after = "NUMBER";
  }
}

/// Jobs of an earlier submission would work on the same files.
void check_no_job_is_left(const RunDirectory& directory) {
  if (!std::filesystem::exists(directory.slurm_jobs())) return;
  std::vector<std::string> left;
  try {
    const auto record = nlohmann::json::parse(read_file(directory.slurm_jobs()));
    for (const auto& number : record.at("jobs"))
      if (!slurm_says_ended({number.get<std::string>(), "", 0})) left.push_back(number.get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw InputError(Place{directory.slurm_jobs().string()}, "cannot be understood", {},
                     "remove it if no job of the run is left");
  }
  if (!left.empty())
    throw InputError(Place{directory.root().string()}, "job " + join(left, " and job ") + " of this run waits or works",
                     "two would spoil each other's files", "wait for it, or end it: scancel " + join(left, " "));
}

void check_sbatch() {
  try {
    run_command({"sbatch", "--version"});
  } catch (const Error&) {
    throw InputError(Place{"hiple submit"}, "there is no sbatch on this host", {},
                     "submit from a login node of the cluster, or look at the scripts with --dry-run");
  }
}

/// Submits every script; where one is refused, those before it are taken back.
std::vector<std::string> submit_all(const Submission& submission) {
  std::vector<std::string> jobs;
  for (const auto& [name, script] : submission.scripts) {
    const auto words = submit::sbatch_words(submission.run, name, jobs.empty() ? "" : jobs.back());
    const CommandResult result = run_command(words);
    if (result.status != 0) {
      for (const std::string& job : jobs) run_command({"scancel", job});
      throw Error(fmt::format("{}: refused by Slurm: {}", words.back(), printable(trim(result.errors))));
    }
    jobs.push_back(submit::job_number(result.output));
    fmt::print("job {}: {}\n", jobs.back(), words.back());
  }
  return jobs;
}

/// Law and gates are settled now, and a run.yaml that is changed while the jobs wait changes nothing for them. The lock is gone
/// before the first job can start.
void make_ready(const PreparedRun& run, const RunDirectory& directory, const Submission& submission, bool fresh) {
  const Lock lock(directory.lock(), "the run");
  start_directory(directory, run, fresh);
  make_folder(directory.slurm());
  for (const auto& [name, script] : submission.scripts) write_file(directory.slurm() / name, script);
}

ExitStatus submit_run(const SubmitOptions& options) {
  const PreparedRun run = prepare(load(options.run));
  const RunDirectory directory(run.config);
  check_directory(directory, run.config, options.run.fresh, {});
  check_engines_free(directory, run, {});
  const Submission submission = make_submission(run, directory, options);
  if (options.dry_run) {
    print_only(submission);
    return ExitStatus::done;
  }
  check_sbatch();
  check_no_job_is_left(directory);
  make_ready(run, directory, submission, options.run.fresh);
  const auto jobs = submit_all(submission);
  write_file(directory.slurm_jobs(), nlohmann::json({{"jobs", jobs}}).dump() + "\n");
  fmt::print("what they print: {}\nhow it goes: hiple status {}\n", directory.slurm().string(),
             submit::shell_word(directory.root().string()));
  return ExitStatus::done;
}

}  // namespace

void add_submit(CLI::App& app, Work& work) {
  auto options = std::make_shared<SubmitOptions>();
  auto* command = app.add_subcommand("submit", "Write batch scripts for Slurm from the plan, and submit them");
  add_start_options(*command, options->run);
  command
      ->add_option("--mode", options->mode,
                   "array: one task an engine, then the law; job: one MPI job;\ntasks: one job without MPI")
      ->check(CLI::IsMember({"array", "job", "tasks"}))
      ->capture_default_str();
  command->add_flag("--dry-run", options->dry_run, "print scripts and commands; write and submit nothing");
  command->add_option("--site", options->site, "a file with what is the same for all runs here")->type_name("FILE");
  command->add_option("--partition", options->partition, "of Slurm")->type_name("NAME");
  command->add_option("--account", options->account, "of Slurm")->type_name("NAME");
  command->add_option("--time", options->time, "limit of each job: 90, 01:30:00, 2-12; over it, it is queued again and goes on")
      ->type_name("LIMIT");
  command->add_option("--gpus-per-task", options->gpus_per_task, "GPUs for each task")->type_name("N");
  command->add_option("--ntasks", options->ntasks, "tasks of the array, or ranks of the MPI job; by default one an engine")
      ->type_name("N");
  command->add_option("--launch", options->launch, "of an MPI job: srun (with pmix) or mpirun")
      ->check(CLI::IsMember({"srun", "mpirun"}));
  command->footer(
      "The array is the way on a shared cluster: each engine gives its node back when it is done, and what kills one does not\n"
      "touch the others. Scripts and their output are in the run's folder `slurm`.\n"
      "Example: hiple submit configs/thyroid/run.yaml --partition main --time 01:00:00 --dry-run");
  command->callback([options, &work] { work = [options] { return submit_run(*options); }; });
}

}  // namespace hiple::program
