#include "run/run_alone.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "run/estimate.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "run/summary.hpp"

namespace hiple {

namespace {

/// Decides, prints and writes STATUS; where that fails, STATUS says so.
ExitStatus finish(const PreparedRun& run, const RunDirectory& directory, const Table& table, const WaitSettings& wait,
                  const AloneSettings& settings) {
  try {
    enter(settings.train.phase, Phase::integrate);
    const auto arrivals = wait_for_engines(Collector(run, directory, table), wait);
    const RunSummary summary = integrate(run, directory, table, arrivals);
    fmt::print("{}", summary_text(directory, summary));
    if (settings.before_status) fmt::print("{}", settings.before_status());
    std::fflush(stdout);
    write_status(directory, summary);
    return summary.status();
  } catch (const std::exception& error) {
    write_failed_status(directory, error.what());
    throw;
  }
}

}  // namespace

ExitStatus run_alone(const PreparedRun& run, const RunDirectory& directory, const AloneSettings& settings) {
  check_directory(directory, run, settings.fresh, settings.train.job);
  const Table table = read_whole_table(run);
  const Lock lock(directory.lock(), "the run", settings.train.job);
  start_directory(directory, run, settings.fresh);
  const Plan plan = make_plan(engine_costs(run.config, run.schema), 1);
  train_engines(run, directory, plan.engines.at(0), settings.train);
  return finish(run, directory, table, WaitSettings{}, settings);
}

ExitStatus integrate_alone(const PreparedRun& run, const RunDirectory& directory, double deadline) {
  check_directory(directory, run, false, {});
  const Table table = read_whole_table(run);
  const Lock lock(directory.lock(), "the run");
  join_directory(directory, run);
  forget_decisions(directory);
  WaitSettings wait;
  wait.deadline = deadline;
  return finish(run, directory, table, wait, AloneSettings{});
}

}  // namespace hiple
