#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/replay.hpp"

namespace hiple::program {

void add_replay(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("replay", "Decide a run again from its files: it must come out the same");
  add_run_options(*command, options->run);
  command->add_flag("--json", options->json, "for programs");
  command->footer(
      "By the law's text that stands beside the decisions, from the judgments and the table that they were made from. Exit\n"
      "status 1, and the cases that differ, where the decisions are not what these give; 2 where one of the files has changed.\n"
      "Example: hiple replay runs/thyroid");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      const Replay result = replay(run, RunDirectory(run.config));
      fmt::print("{}", options->json ? to_json(result) : to_text(result));
      return result.same() ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

}  // namespace hiple::program
