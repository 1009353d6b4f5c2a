#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/explain_case.hpp"

namespace hiple::program {

void add_explain(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    std::uint64_t case_id = 0;
    std::string why_not;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("explain", "Why a case was decided as it was");
  add_run_options(*command, options->run);
  add_whole_number(*command, "--case", options->case_id, "its id in the table")->required()->type_name("ID");
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
