#include <fmt/format.h>

#include <memory>

#include "base/log.hpp"
#include "base/threads.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/check_data.hpp"
#include "run/check_text.hpp"
#include "run/open_directory.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions run;
  int ranks = 0;
  bool json = false, full = false, estimate = false;
};

ExitStatus check(const Options& options) {
  constexpr double seconds_each = 1;
  start_log("check", options.run.verbose);
  const PreparedRun run = prepare(load(options.run));
  const RunDirectory directory(run.config);
  check_directory(directory, run.config, options.run.fresh, {});
  check_engines_free(directory, run, {});
  CheckResult result;
  result.ranks = options.ranks > 0 ? options.ranks : static_cast<int>(run.config.engines.size()) + 1;
  result.processors = bound_processors();
  result.size = run_size(run);
  // What an earlier start of the run has written need not be written again.
  result.folder = check_folder(run.config, directory.holds_run() ? 0 : result.size.disk);
  if (options.full) result.data = check_data(run, directory);
  if (options.estimate) result.times = measure_times(run, seconds_each);
  fmt::print("{}", options.json ? check_json(run, result) : check_text(run, result));
  return ExitStatus::done;
}

}  // namespace

void add_check(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Everything that can be known without reading all data");
  add_start_options(*command, options->run);
  add_at_once_option(*command, options->run);
  command->add_option("--ranks", options->ranks, "show the plan for so many ranks; by default one an engine, and one")
      ->check(CLI::Range(1, 1 << 24));
  command->add_flag("--json", options->json, "for programs");
  command->add_flag("--full", options->full,
                    "read all data too: rows of each engine, and what each critical rule would escalate");
  command->add_flag("--estimate", options->estimate,
                    "train each engine for a second, here, and say how long all of its epochs take: for a compute node");
  command->footer(
      "Reads run.yaml, schema, law and the head of the table, looks whether the run's directory would take the run, and\n"
      "tries in a folder of its own there what a run does with files; leaves nothing behind. Exit status 2 and one line\n"
      "for each problem.\n"
      "Example: hiple check configs/thyroid/run.yaml --ranks 4");
  command->callback([options, &work] { work = [options] { return check(*options); }; });
}

}  // namespace hiple::program
