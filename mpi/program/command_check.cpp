#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/check_data.hpp"
#include "run/check_text.hpp"
#include "run/open_directory.hpp"

namespace hiple::program {

void add_check(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    int ranks = 0;
    bool json = false, full = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Everything that can be known without reading all data");
  add_start_options(*command, options->run);
  add_at_once_option(*command, options->run);
  command->add_option("--ranks", options->ranks, "show the plan for so many ranks; by default one an engine, and one")
      ->check(CLI::Range(1, 1 << 24));
  command->add_flag("--json", options->json, "for programs");
  command->add_flag("--full", options->full,
                    "read all data too: rows of each engine, and what each critical rule would escalate");
  command->footer(
      "Reads run.yaml, schema, law and the head of the table, and looks whether the run's directory would take the run;\n"
      "creates nothing. Exit status 2 and one line for each problem.\n"
      "Example: hiple check configs/thyroid/run.yaml --ranks 4");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      const RunDirectory directory(run.config);
      check_directory(directory, run.config, options->run.fresh, {});
      check_engines_free(directory, run, {});
      const int ranks = options->ranks > 0 ? options->ranks : static_cast<int>(run.config.engines.size()) + 1;
      const auto data = options->full ? std::optional(check_data(run, directory)) : std::nullopt;
      fmt::print("{}", options->json ? check_json(run, ranks, data) : check_text(run, ranks) + (data ? to_text(*data) : ""));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
