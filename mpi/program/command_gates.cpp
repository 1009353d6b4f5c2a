#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "report/gates_text.hpp"
#include "run/curves_file.hpp"
#include "run/gates_run.hpp"

namespace hiple::program {

void add_gates(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    GatesRequest request;
    std::filesystem::path out, curves;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("gates", "Whether a run's partition may be trusted: figures with bounds, and verdicts");
  add_run_options(*command, options->run);
  command
      ->add_option("--truth", options->request.truth,
                   "a table with the case ids and the columns of gates.yaml, where the run's table does not hold the truth")
      ->type_name("TABLE");
  command->add_flag("--changed", options->request.changed,
                    "show the figures although law or gates were changed after the run began; nothing is trusted then");
  command->add_option("--out", options->out, "write the report, by which a later run is open or closed")->type_name("FILE");
  command
      ->add_option("--curves", options->curves,
                   "write recall over cost, risk over coverage, reliability and boundaries as HDF5 and CSV")
      ->type_name("FOLDER");
  command
      ->add_option("--cases", options->request.cases,
                   "write the test cases one by one as HDF5: truth, answers of the law and of all engines, who crosses")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "the report, for programs");
  command->footer(
      "From the files of a finished run. Exit status 4 where a gate is not passed: FAIL, or NOT_EVALUABLE; 2 where law, gates "
      "or\n"
      "another file are not what the run was begun with.\n"
      "Example: hiple gates runs/thyroid --out gates.json");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      const gate::GateReport report = report_gates(run, RunDirectory(run.config), options->request);
      if (!options->out.empty()) write_file(options->out, gate::to_json(report));
      if (!options->curves.empty()) write_curves(options->curves, report);
      fmt::print("{}", options->json ? gate::to_json(report) : report::gates_text(report));
      return report.trusted() ? ExitStatus::done : ExitStatus::gate_not_passed;
    };
  });
}

}  // namespace hiple::program
