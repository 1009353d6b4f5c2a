#include <memory>

#include "base/log.hpp"
#include "mpi/launch.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/sibling.hpp"
#include "run/devices.hpp"
#include "run/run_alone.hpp"

namespace hiple::program {

namespace {

std::vector<std::string> arguments_of(const RunOptions& options) {
  std::vector<std::string> arguments = {options.run.string()};
  if (!options.output.empty()) arguments.insert(arguments.end(), {"--output", options.output.string()});
  if (options.fresh) arguments.emplace_back("--fresh");
  if (options.at_once > 1) arguments.insert(arguments.end(), {"--at-once", std::to_string(options.at_once)});
  if (options.no_commands) arguments.emplace_back("--no-commands");
  if (options.verbose) arguments.emplace_back("--verbose");
  for (const std::string& fault : options.faults) arguments.insert(arguments.end(), {"--inject", fault});
  return arguments;
}

ExitStatus run(const RunOptions& options) {
  if (const auto launch = mpi::detect_launch(process_environment())) {
    mpi::check_launch(*launch);
    become_mpi_program(arguments_of(options));
  }
  start_log("", options.verbose);
  const PreparedRun prepared = prepare(load(options));
  const RunDirectory directory(prepared.config);
  AloneSettings settings;
  settings.fresh = options.fresh;
  settings.train.at_once = options.at_once;
  settings.train.faults = parse_faults(options.faults, prepared);
  settle_devices(all_engines(prepared.config), settings.train.seat);
  mpi::watch(settings.train);
  settings.watched = [&](report::Summary& summary) {
    mpi::add_certificate(summary, directory, mpi::write_records(prepared, directory, {mpi::take_ledger(0)}, 1));
  };
  return run_alone(prepared, directory, settings);
}

}  // namespace

void add_run(CLI::App& app, Work& work) {
  auto options = std::make_shared<RunOptions>();
  auto* command = app.add_subcommand("run", "Train the engines, let the law decide every case, write the run's directory");
  add_start_options(*command, *options);
  add_at_once_option(*command, *options);
  command->footer(
      "Under mpirun or srun the last rank decides, and every other trains engines of its own, without a word to anybody.\n"
      "Without a launcher this process does everything in turn; the decisions are the same, bit by bit.\n"
      "So they are with --at-once N, by which each process trains several engines side by side.\n"
      "Each engine trains in a process of its own (run.yaml's isolation: process): what fails there, stays there. It is\n"
      "started again from its checkpoint (restarts: N), and if that does not help it is named and the others decide.\n"
      "A run that was interrupted goes on: engines that are finished are not trained again.\n\n"
      "Examples:\n"
      "  hiple run configs/thyroid/run.yaml\n"
      "  mpirun -n 4 hiple run configs/thyroid/run.yaml --output runs/four --fresh");
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hiple::program
