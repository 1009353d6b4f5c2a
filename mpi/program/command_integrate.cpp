#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/run_alone.hpp"

namespace hiple::program {

namespace {

/// A leaf of the root lies within one portion.
std::size_t whole_leaves(std::size_t cases) {
  if (cases > 0 && cases % 4096 == 0) return cases;
  throw InputError(Place{"--portion"}, std::to_string(cases) + " cases", "the decisions are hashed in blocks of 4096 cases",
                   "choose a multiple of 4096");
}

}  // namespace

void add_integrate(CLI::App& app, Work& work) {
  auto options = std::make_shared<RunOptions>();
  auto wait = std::make_shared<bool>(false);
  auto settings = std::make_shared<AloneSettings>();
  auto* command = app.add_subcommand("integrate", "Let the law decide, on the judgments that are in the run's directory");
  add_run_options(*command, *options);
  command->add_flag("--wait", *wait, "wait for engines that are missing, as long as run.yaml's integrate.deadline");
  command->add_option("--threads", settings->threads, "that decide; the processors that it may run on, unless told otherwise")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  auto cases = std::make_shared<std::size_t>(settings->most_cases);
  command->add_option("--portion", *cases, "cases that are in memory at once, of a table in HDF5: a multiple of 4096")
      ->type_name("N")
      ->capture_default_str();
  settings->judges = false;
  command->add_flag("--judge", settings->judges, "let engines judge here what the law asks for (integrate.judging: on_demand)");
  command->footer(
      "Engines without judgments count as not available, are named, and make the exit status 3. Where judging is on demand and\n"
      "the law asks for more, requests are left, and the status is 5: answer them with `hiple judge RUN --engine E --requests`,\n"
      "each engine where you like, and integrate again.\n"
      "Example, after a change of the law: hiple integrate configs/thyroid/run.yaml");
  command->callback([options, wait, settings, cases, &work] {
    work = [options, wait, settings, cases] {
      start_log("", options->verbose);
      const PreparedRun run = prepare(load(*options));
      const RunDirectory directory(run.config);
      settings->most_cases = whole_leaves(*cases);
      settings->watched = [&](report::Summary& summary) { mpi::certify_engines(summary, run, directory); };
      return integrate_alone(run, directory, *wait ? run.config.integrate.deadline : 0, *settings);
    };
  });
}

}  // namespace hiple::program
