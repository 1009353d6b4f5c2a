#include "mpi/program/run_options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/command_files.hpp"
#include "run/revise_history.hpp"

namespace hiple::program {

namespace {

void check_at_once(std::uint64_t at_once, const RunConfig& config) {
  constexpr std::uint64_t most = 1024;
  if (at_once < 1 || at_once > most)
    throw InputError(Place{"--at-once"}, fmt::format("{} engines at once", at_once),
                     fmt::format("it is a number from 1 to {}", most), "give as many as the process has cores, or leave it out");
  if (at_once > 1 && config.isolation != "process")
    throw InputError(Place{"--at-once"}, fmt::format("{} engines at once, and isolation is {}", at_once, config.isolation),
                     "only engines with processes of their own are trained side by side",
                     "write \"isolation: process\" in run.yaml, or leave --at-once out");
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("RUN", options.run, "run.yaml, or the directory of a run")->required()->type_name("FILE");
  command.add_option("--output", options.output, "directory of the run, in place of the one in run.yaml")->type_name("DIR");
  command.add_flag("--no-commands", options.no_commands, "refuse a run.yaml that starts programs (engines of type command)");
  command.add_flag("--verbose", options.verbose, "say more on standard error");
}

void add_fault_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--inject", options.faults,
                  "a failure on purpose, to see what becomes of it: engine=E,step=N,kind=kill|segv|exit|throw|nan|stop|\n"
                  "hang|slow:F|enospc|oom|corrupt[,attempt=K: in the first K attempts only]; may be repeated")
      ->type_name("FAULT")
      ->allow_extra_args(false);
}

void add_at_once_option(CLI::App& command, RunOptions& options) {
  add_whole_number(command, "--at-once", options.at_once,
                   "engines that each process trains side by side, by default 1; as many as it has cores is fast")
      ->type_name("N");
}

void add_start_options(CLI::App& command, RunOptions& options) {
  add_run_options(command, options);
  command.add_flag("--fresh", options.fresh, "forget what the directory holds, and train every engine again");
  add_fault_option(command, options);
}

RunConfig load_without_revision(const RunOptions& options) {
  const bool directory = std::filesystem::is_directory(options.run);
  RunConfig config = load_run_config(directory ? RunDirectory(options.run).config() : options.run);
  if (options.no_commands) refuse_commands(config);
  check_at_once(options.at_once, config);
  if (directory) config.output = options.run;
  if (!options.output.empty()) config.output = options.output;
  return config;
}

RunConfig load(const RunOptions& options) {
  RunConfig config = load_without_revision(options);
  if (!options.fresh) follow_revision(config);
  return config;
}

std::optional<ExitStatus> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitStatus::done : ExitStatus::bad_input;
  }
}

}  // namespace hiple::program
