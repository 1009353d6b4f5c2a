#include <chrono>
#include <memory>
#include <thread>

#include "base/log.hpp"
#include "mpi/launch.hpp"
#include "scaling/measure/run.hpp"
#include "scaling/program/commands.hpp"
#include "scaling/program/measure_options.hpp"

namespace hiple::scaling {

namespace {

/// Wrong input is wrong on every rank: the first one says so, and a launcher then ends the others while they wait here.
Setup let_first_rank_speak(const MeasureOptions& options, const mpi::Launch& launch) {
  try {
    if (launch.rank == 0) check_outputs(options);
    return make_setup(options, std::max(1, launch.size));
  } catch (const InputError&) {
    if (launch.rank != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    throw;
  }
}

ExitStatus run(const MeasureOptions& options) {
  const mpi::Launch launch = mpi::detect_launch(process_environment()).value_or(mpi::Launch{});
  start_log("rank " + std::to_string(launch.rank));
  mpi::check_launch(launch);
  run_measurement(let_first_rank_speak(options, launch), options);
  return ExitStatus::done;
}

}  // namespace

void add_measure(CLI::App& app, Work& work) {
  auto options = std::make_shared<MeasureOptions>();
  auto* command = app.add_subcommand("measure", "Train one configuration and record every step");
  add_configuration(*command, *options);
  add_outputs(*command, *options);
  command->footer(
      "Runs in the launch it is started in, of any size; alone it is one rank. The record is written by rank 0 after the\n"
      "last step. Wrong options end with exit status 2 before anything is started.\n\n"
      "Examples:\n"
      "  hiple-scaling measure --strategy single --output single.json\n"
      "  mpirun -n 2 hiple-scaling measure --strategy ddp --output ddp.json --ledger ddp.h5\n"
      "  mpirun -n 2 hiple-scaling measure --strategy hiple --engines 6 --spread 4 --batch 384 --output hiple.json");
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hiple::scaling
