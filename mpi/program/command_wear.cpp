#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/wear.hpp"

namespace hiple::program {

void add_wear(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    WearSettings wear;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("wear", "Whether engines' domains have moved away from them, and since when");
  add_run_options(*command, options->run);
  command->add_option("--by", options->wear.by, "the column by which cases are ordered, a date or a number; by default their ids")
      ->type_name("COLUMN");
  command->add_option("--window", options->wear.window, "cases between two looks")
      ->check(CLI::Range(1, 1 << 30))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", options->json, "with every window, for programs");
  command->footer(
      "Of each engine are watched the share of unusual cases in its own domain (typicality of at most 0.05, in rows of the test\n"
      "part), and how often evidence contradicts the rules that read it. WORN: a share is shown to have come to be above what "
      "is\n"
      "allowed, at every look and for all engines together with 95 %. Exit status 1 where an engine is worn.\n"
      "Example: hiple wear runs/thyroid --by year");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      const Wear wear = measure_wear(run, RunDirectory(run.config), options->wear);
      fmt::print("{}", options->json ? to_json(wear) : to_text(wear));
      return wear.worn() == 0 ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

}  // namespace hiple::program
