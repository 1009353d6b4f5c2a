#include <fmt/format.h>

#include <memory>

#include "base/log.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/judge_cases.hpp"

namespace hiple::program {

void add_judge(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    std::string engine;
    std::filesystem::path cases, out;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("judge", "Let a trained engine judge new cases");
  add_run_options(*command, options->run);
  command->add_option("--engine", options->engine, "its name in run.yaml")->required()->type_name("NAME");
  command->add_option("--cases", options->cases, "a table with the engine's features, CSV or HDF5")
      ->required()
      ->type_name("FILE");
  command->add_option("--out", options->out, "judgments file to write")->required()->type_name("FILE");
  command->footer("Example: hiple judge runs/thyroid --engine hypo --cases new.csv --out new-hypo.h5");
  command->callback([options, &work] {
    work = [options] {
      start_log("", options->run.verbose);
      const PreparedRun run = prepare(load(options->run));
      judge_cases(run, RunDirectory(run.config), options->engine, options->cases, options->out);
      fmt::print("{}\n", options->out.string());
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
