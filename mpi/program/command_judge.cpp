#include <fmt/format.h>

#include <memory>

#include "base/log.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/judge_cases.hpp"
#include "run/run_alone.hpp"

namespace hiple::program {

void add_judge(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    std::string engine;
    std::filesystem::path cases, out;
    bool requests = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("judge", "Let a trained engine judge new cases");
  add_run_options(*command, options->run);
  command->add_option("--engine", options->engine, "its name in run.yaml")->required()->type_name("NAME");
  auto* cases =
      command->add_option("--cases", options->cases, "a table with the engine's features, CSV or HDF5")->type_name("FILE");
  auto* out = command->add_option("--out", options->out, "judgments file to write")->type_name("FILE");
  cases->needs(out);
  out->needs(cases);
  auto* requests = command->add_flag("--requests", options->requests, "the cases of its run that the law has asked it about");
  requests->excludes(cases)->excludes(out);
  command->footer(
      "Where judging is on demand (run.yaml's integrate.judging), `hiple integrate` leaves requests; --requests adds what is "
      "asked\n"
      "for to the engine's judgments, and does nothing where nothing is.\n"
      "Example: hiple judge runs/thyroid --engine hypo --cases new.csv --out new-hypo.h5\n"
      "         hiple judge runs/thyroid --engine hypo --requests");
  command->callback([options, &work] {
    work = [options] {
      start_log("", options->run.verbose);
      if (!options->requests && options->cases.empty())
        throw InputError(Place{"command line"}, "no cases are named", {}, "give --cases FILE --out FILE, or --requests");
      const PreparedRun run = prepare_without_evidence(load(options->run));
      if (options->requests) return answer_request(run, RunDirectory(run.config), options->engine);
      judge_cases(run, RunDirectory(run.config), options->engine, options->cases, options->out);
      fmt::print("{}\n", options->out.string());
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
