#include <fmt/format.h>

#include <memory>

#include "base/log.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/stored.hpp"

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
      judge_cases(run, RunDirectory(run.config.output), options->engine, options->cases, options->out);
      fmt::print("{}\n", options->out.string());
      return ExitStatus::done;
    };
  });
}

void add_explain(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    std::uint64_t case_id = 0;
    std::string why_not;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("explain", "Why a case was decided as it was");
  add_run_options(*command, options->run);
  command->add_option("--case", options->case_id, "its id in the table")->required()->type_name("ID");
  command->add_option("--why-not", options->why_not, "a rule: what kept it from carrying the decision")->type_name("RULE");
  command->footer("Example: hiple explain runs/thyroid --case 840801013 --why-not F-1");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      fmt::print("{}", explain_case(run, RunDirectory(run.config.output), options->case_id, options->why_not));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
