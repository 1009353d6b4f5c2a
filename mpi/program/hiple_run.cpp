/// The part of `hiple run` that links MPI; `hiple` starts it under a launcher, with the same options.
#include <chrono>
#include <thread>

#include "base/log.hpp"
#include "mpi/job.hpp"
#include "mpi/program/guard.hpp"
#include "mpi/program/run_options.hpp"

namespace {

namespace mpi = hiple::mpi;
namespace program = hiple::program;

/// Wrong input is wrong on every rank. The integrator says so at once, and a launcher then ends the others, which wait here
/// with their message: it is only news if the integrator does not find the same.
void let_integrator_speak(const mpi::Launch& launch) {
  if (launch.rank != launch.size - 1) std::this_thread::sleep_for(std::chrono::seconds(2));
}

}  // namespace

int main(int argc, char** argv) {
  program::RunOptions options;
  CLI::App app("One rank of a run. Use `hiple run`.", "hiple-run");
  program::add_start_options(app, options);
  program::add_at_once_option(app, options);
  if (const auto status = program::parse(app, argc, argv)) return static_cast<int>(*status);
  mpi::Launch launch;
  return program::guard(
      [&] {
        launch = mpi::detect_launch(hiple::process_environment()).value_or(launch);
        const bool integrates = launch.rank == launch.size - 1;
        hiple::start_log(integrates ? "integrator" : "rank " + std::to_string(launch.rank), options.verbose);
        mpi::check_launch(launch);
        const hiple::PreparedRun run = hiple::prepare(program::load(options));
        return mpi::run_job(run, hiple::RunDirectory(run.config), launch,
                            {options.fresh, options.at_once, hiple::parse_faults(options.faults, run)});
      },
      [&] { let_integrator_speak(launch); });
}
