#include <memory>
#include <optional>

#include "base/log.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "process/sibling.hpp"
#include "run/open_directory.hpp"
#include "run/supervise.hpp"
#include "run/train_engine.hpp"
#include "run/wall_limit.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions run;
  std::string name;
  std::uint64_t attempt = 0;  ///< not 0: in the process that a spawner started, for this attempt
  std::uint64_t ranks = 1;
};

ExitStatus train_child(const Options& options) {
  const auto pulse = process::Pulse::attach(process::pulse_descriptor);
  try {
    const PreparedRun run = prepare(load(options.run));
    TrainSettings settings;
    settings.ranks = static_cast<int>(options.ranks);
    settings.faults = parse_faults(options.run.faults, run);
    return train_in_child(run, RunDirectory(run.config), run.engine(options.name), settings, pulse, options.attempt);
  } catch (const InputError& error) {
    pulse.end(static_cast<std::uint32_t>(Verdict::bad_input), error.what());
    throw;
  }
}

ExitStatus train(const Options& options) {
  start_log(options.name, options.run.verbose);
  if (options.attempt > 0) return train_child(options);
  const PreparedRun run = prepare(load(options.run));
  const EngineConfig& engine = run.engine(options.name);
  const RunDirectory directory(run.config);
  TrainSettings settings;
  settings.faults = parse_faults(options.run.faults, run);
  const WallLimit limit(run.config);
  settings.stop = [&limit] { return limit.near() ? std::string("the time limit is near") : std::string(); };
  check_directory(directory, run.config, false, {});
  join_directory(directory, run);
  std::optional<process::Spawner> spawner;
  if (run.config.isolation == "process") settings.spawner = &spawner.emplace(process::sibling("hiple-spawner"));
  return train_engine(run, directory, engine, settings).status;
}

}  // namespace

void add_train(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("train", "Train one engine, without MPI: a task of a job array");
  add_run_options(*command, options->run);
  command->add_option("--engine", options->name, "its name in run.yaml")->required()->type_name("NAME");
  add_fault_option(*command, options->run);
  add_whole_number(*command, "--attempt", options->attempt, "for `hiple run`")->group("");
  add_whole_number(*command, "--ranks", options->ranks, "for `hiple run`")->group("");
  command->footer(
      "SIGUSR1 makes a checkpoint; SIGTERM makes one and ends. Started again, it goes on from there, bit by bit.\n"
      "Example: hiple train configs/thyroid/run.yaml --engine hypo     and at the end: hiple integrate ...");
  command->callback([options, &work] { work = [options] { return train(*options); }; });
}

}  // namespace hiple::program
