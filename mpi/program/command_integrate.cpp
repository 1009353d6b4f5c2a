#include <memory>

#include "base/log.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/run_alone.hpp"

namespace hiple::program {

void add_integrate(CLI::App& app, Work& work) {
  auto options = std::make_shared<RunOptions>();
  auto wait = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("integrate", "Let the law decide, on the judgments that are in the run's directory");
  add_run_options(*command, *options);
  command->add_flag("--wait", *wait, "wait for engines that are missing, as long as run.yaml's integrate.deadline");
  command->footer(
      "Engines without judgments count as not available, are named, and make the exit status 3.\n"
      "Example, after a change of the law: hiple integrate configs/thyroid/run.yaml");
  command->callback([options, wait, &work] {
    work = [options, wait] {
      start_log("", options->verbose);
      const PreparedRun run = prepare(load(*options));
      const RunDirectory directory(run.config);
      return integrate_alone(run, directory, *wait ? run.config.integrate.deadline : 0,
                             [&](report::Summary& summary) { mpi::certify_engines(summary, run, directory); });
    };
  });
}

}  // namespace hiple::program
