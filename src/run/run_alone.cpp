#include "run/run_alone.hpp"

#include <chrono>

#include "run/estimate.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

/// Decides, prints and writes STATUS; where that fails, STATUS says so.
ExitStatus decide(const PreparedRun& run, const RunDirectory& directory, const Table& table, double deadline,
                  const AloneSettings& settings, Clock::time_point start) {
  try {
    enter(settings.train.phase, Phase::integrate);
    WaitSettings wait;
    wait.deadline = deadline;
    const auto arrivals = wait_for_engines(Collector(run, directory, table), wait);
    report::Summary summary = integrate(run, directory, table, arrivals);
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (settings.watched) settings.watched(summary);
    return finish(directory, summary);
  } catch (const std::exception& error) {
    finish_failed(run, directory, error.what());
    throw;
  }
}

}  // namespace

ExitStatus run_alone(const PreparedRun& run, const RunDirectory& directory, const AloneSettings& settings) {
  const auto start = Clock::now();
  check_directory(directory, run.config, settings.fresh, settings.train.job);
  check_engines_free(directory, run, settings.train.job);
  const Table table = read_whole_table(run);
  divide(table, run.config.data.split, run.config.seed);  // throws where a part stays empty: before anything is created
  const Lock lock(directory.lock(), "the run", settings.train.job);
  start_directory(directory, run, settings.fresh);
  const Plan plan = make_plan(engine_costs(run.config, run.schema), 1);
  train_engines(run, directory, plan.engines.at(0), settings.train);
  return decide(run, directory, table, 0, settings, start);
}

ExitStatus integrate_alone(const PreparedRun& run, const RunDirectory& directory, double deadline) {
  const auto start = Clock::now();
  check_directory(directory, run.config, false, {});
  const Table table = read_whole_table(run);
  const Lock lock(directory.lock(), "the run");
  join_directory(directory, run);
  forget_decisions(directory);
  return decide(run, directory, table, deadline, AloneSettings{}, start);
}

}  // namespace hiple
