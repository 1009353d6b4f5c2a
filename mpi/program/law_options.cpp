#include "mpi/program/law_options.hpp"

namespace hiple::program {

std::vector<CLI::Option*> add_setting_options(CLI::App& command, LawOptions& options) {
  std::vector<CLI::Option*> added;
  added.push_back(
      command.add_option("--run", options.run, "the run.yaml that names schema and engines; by default the one beside the law"));
  added.push_back(command.add_option("--schema", options.schema, "schema.yaml, where there is no run.yaml"));
  added.push_back(command.add_option("--engine", options.engines,
                                     "with --schema, once for each: NAME=CLASS,CLASS; NAME alone predicts a number"));
  added.push_back(
      command.add_option("--as-of", options.as_of, "with --schema: the day that `valid` and age() mean")->type_name("DATE"));
  return added;
}

void add_law_options(CLI::App& command, LawOptions& options) {
  command.add_option("law", options.law, "law.yaml, or the run.yaml that names it")->required()->type_name("LAW.yaml");
  add_setting_options(command, options);
}

}  // namespace hiple::program
