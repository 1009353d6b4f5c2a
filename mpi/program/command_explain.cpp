#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/law_options.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/explain_case.hpp"

namespace hiple::program {

void add_explain(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    std::uint64_t case_id = 0;
    std::filesystem::path case_file;
    LawOptions setting;  ///< of a case in a file
    Telling telling;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("explain", "Why a case was decided as it was");
  add_run_options(*command, options->run);
  auto* stored = add_whole_number(*command, "--case", options->case_id, "its id in the table")->type_name("ID");
  auto* written = command->add_option("--case-file", options->case_file,
                                      "a case in a file: then RUN may be a law.yaml, and nothing need have run");
  written->type_name("CASE.yaml")->excludes(stored);
  for (CLI::Option* option : add_setting_options(*command, options->setting)) option->needs(written)->group("With --case-file");
  command->add_option("--why-not", options->telling.why_not, "a rule or law: what kept it from carrying the decision")
      ->type_name("ID");
  command->add_flag("--json", options->telling.json, "the whole derivation, for programs");
  command->add_option("--graph", options->telling.graph, "draw the derivation: FILE.svg, .pdf or .png by graphviz, or .dot")
      ->type_name("FILE");
  command->footer(
      "Example: hiple explain runs/thyroid --case 840801013 --why-not F-1\n"
      "         hiple explain configs/thyroid/law.yaml --case-file witness.yaml --graph witness.svg");
  command->callback([options, stored, written, &work] {
    work = [options, stored, written] {
      if (!written->empty()) {
        const std::filesystem::path& law = options->run.run;
        options->setting.law = std::filesystem::is_directory(law) ? law / "run.yaml" : law;
        const LawSetting setting = find_law_setting(options->setting);
        fmt::print("{}", explain_case_file(setting, options->case_file, options->telling));
        return ExitStatus::done;
      }
      if (stored->empty())
        throw InputError(Place{"command line"}, "no case is named", {}, "give --case ID, or --case-file CASE.yaml");
      const PreparedRun run = prepare(load(options->run));
      fmt::print("{}", explain_case(run, RunDirectory(run.config), options->case_id, options->telling));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
