#include <memory>

#include "base/log.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/open_directory.hpp"
#include "run/train_engine.hpp"

namespace hiple::program {

namespace {

ExitStatus train(const RunOptions& options, const std::string& name) {
  start_log(name, options.verbose);
  const PreparedRun run = prepare(load(options));
  const EngineConfig& engine = run.engine(name);
  const RunDirectory directory(run.config.output);
  check_directory(directory, run.config, false, {});
  join_directory(directory, run);
  return train_engine(run, directory, engine, TrainSettings{}).status;
}

}  // namespace

void add_train(CLI::App& app, Work& work) {
  auto options = std::make_shared<RunOptions>();
  auto name = std::make_shared<std::string>();
  auto* command = app.add_subcommand("train", "Train one engine, without MPI: a task of a job array");
  add_run_options(*command, *options);
  command->add_option("--engine", *name, "its name in run.yaml")->required()->type_name("NAME");
  command->footer("Example: hiple train configs/thyroid/run.yaml --engine hypo     and at the end: hiple integrate ...");
  command->callback([options, name, &work] { work = [options, name] { return train(*options, *name); }; });
}

}  // namespace hiple::program
