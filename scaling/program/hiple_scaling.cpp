/// `hiple-scaling`: what a shared objective costs, and what its absence saves.
#include "mpi/program/guard.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/unknown_command.hpp"
#include "run/build_record.hpp"
#include "scaling/program/commands.hpp"

int main(int argc, char** argv) {
  namespace program = hiple::program;
  namespace scaling = hiple::scaling;
  CLI::App app("The scaling study of HIPLE: strategies that share an objective beside engines that do not.\n", "hiple-scaling");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.add_flag_callback(
      "--version", [] { throw CLI::CallForVersion(hiple::features_text(), 0); }, "what this program was built with");
  scaling::Work work;
  for (const auto& add : {scaling::add_measure, scaling::add_check, scaling::add_micro, scaling::add_plan, scaling::add_claims,
                          scaling::add_pieces})
    add(app, work);
  return program::guard([&] {
    program::refuse_unknown_command(app, "hiple-scaling", argc, argv);
    if (const auto status = program::parse(app, argc, argv)) return *status;
    return work();
  });
}
