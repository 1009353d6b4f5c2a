#include "run/run_alone.hpp"

#include <chrono>
#include <optional>

#include "process/sibling.hpp"
#include "run/estimate.hpp"
#include "run/goodput.hpp"
#include "run/identity.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "run/wall_limit.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

/// Decides, prints and writes STATUS; where that fails, STATUS says so.
ExitStatus decide(const PreparedRun& run, const RunDirectory& directory, RunTable& table, double deadline,
                  const AloneSettings& settings, Clock::time_point start) {
  try {
    enter(settings.train.phase, Phase::integrate);
    WaitSettings wait;
    wait.deadline = deadline;
    const auto arrivals = wait_for_engines(Collector(run, directory, table), wait);
    report::Summary summary = integrate(run, directory, table, arrivals, {}, settings.threads);
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (settings.watched) settings.watched(summary);
    if (settings.trains) summary.rank_seconds = rank_seconds(run, directory, 1, summary.seconds, summary.law_seconds);
    return finish(directory, summary);
  } catch (const std::exception& error) {
    finish_failed(run, directory, error.what());
    throw;
  }
}

/// In processes of their own unless run.yaml says otherwise, until the time limit is near.
void train(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::size_t>& engines,
           TrainSettings settings) {
  const WallLimit limit(run.config);
  settings.stop = [&limit] { return limit.near() ? std::string("the time limit is near") : std::string(); };
  std::optional<process::Spawner> spawner;
  if (settings.spawner == nullptr && run.config.isolation == "process")
    settings.spawner = &spawner.emplace(process::sibling("hiple-spawner"));
  train_engines(run, directory, engines, settings);
}

}  // namespace

ExitStatus run_alone(const PreparedRun& run, const RunDirectory& directory, const AloneSettings& settings) {
  const auto start = Clock::now();
  check_directory(directory, run.config, settings.fresh, settings.train.job);
  check_engines_free(directory, run, settings.train.job);
  RunTable table(run, settings.most_cases, settings.threads);  // refuses what is wrong before anything is created
  if (!settings.fresh) check_data(directory, run, [&](const auto& columns) { return table.slice(columns); });
  const Lock lock(directory.lock(), "the run", settings.train.job);
  start_directory(directory, run, settings.fresh);
  const Plan plan = make_plan(engine_costs(run.config, run.schema), 1);
  train(run, directory, plan.engines.at(0), settings.train);
  return decide(run, directory, table, 0, settings, start);
}

ExitStatus integrate_alone(const PreparedRun& run, const RunDirectory& directory, double deadline, AloneSettings settings) {
  const auto start = Clock::now();
  check_directory(directory, run.config, false, {});
  RunTable table(run, settings.most_cases, settings.threads);
  const Lock lock(directory.lock(), "the run");
  join_directory(directory, run);
  forget_decisions(directory);
  settings.trains = false;
  return decide(run, directory, table, deadline, settings, start);
}

}  // namespace hiple
