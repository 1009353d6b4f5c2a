#include "mpi/program/commands.hpp"
#include "mpi/program/guard.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/sibling.hpp"
#include "mpi/program/unknown_command.hpp"
#include "run/build_record.hpp"

namespace {

constexpr const char* footer = R"(Examples:
  hiple check configs/milling/run.yaml              is everything right? who would train what?
  hiple run configs/milling/run.yaml                alone: everything in turn, in this process
  mpirun -n 5 hiple run configs/milling/run.yaml    four ranks train, the last one decides
  hiple explain runs/milling --case 70              why was this case decided so?
  hiple COMMAND --help                              more about one command

Exit status:
  0  done
  1  failed, for a reason not listed below
  2  the input is wrong: every problem with FILE:LINE:COLUMN; nothing was started
  3  done in part: an engine is missing, and decisions were made without it
  4  a gate is not passed: `hiple gates` alone says so)";

}  // namespace

int main(int argc, char** argv) {
  namespace program = hiple::program;
  CLI::App app(
      "HIPLE, the Hierarchical Independent Parallel Learning Engine: trains small engines that share no loss, and joins\n"
      "their judgments with rules that a person can read.\n",
      "hiple");
  app.footer(footer);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.add_flag_callback(
      "--version", [&] { throw CLI::CallForVersion(hiple::features_text() + program::mpi_text(), 0); },
      "what this program was built with");
  program::Work work;
  for (const auto& add :
       {program::add_check,   program::add_run,      program::add_train,  program::add_judge,     program::add_integrate,
        program::add_explain, program::add_replay,   program::add_gates,  program::add_status,    program::add_report,
        program::add_law,     program::add_evidence, program::add_revise, program::add_knowledge, program::add_add_engine,
        program::add_wear,    program::add_propose,  program::add_submit, program::add_devices,   program::add_data})
    add(app, work);
  return program::guard([&] {
    program::refuse_unknown_command(app, "hiple", argc, argv);
    if (const auto status = program::parse(app, argc, argv)) return *status;
    return work();
  });
}
