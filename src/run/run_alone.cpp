#include "run/run_alone.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "run/asked_cases.hpp"
#include "run/estimate.hpp"
#include "run/goodput.hpp"
#include "run/identity.hpp"
#include "run/lock.hpp"
#include "run/on_demand.hpp"
#include "run/open_directory.hpp"
#include "run/wall_limit.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

/// Calls `train` with engines in processes of their own unless run.yaml says otherwise, until the time limit is near.
template <class Train>
auto with_limits(const PreparedRun& run, TrainSettings settings, const Train& train) {
  const WallLimit limit(run.config);
  settings.stop = [&limit] { return limit.near() ? std::string("the time limit is near") : std::string(); };
  process::Spawners spawners;
  if (settings.spawners.empty()) settings.spawners = spawners = make_spawners(run.config, settings.at_once);
  return train(settings);
}

void train(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::size_t>& engines,
           const TrainSettings& settings) {
  with_limits(run, settings, [&](const TrainSettings& all) { return train_engines(run, directory, engines, all); });
}

/// What the law asks for, judged here or left as requests.
Asking ask(const PreparedRun& run, const RunDirectory& directory, const Table& table, std::vector<Arrival>& arrivals,
           const AloneSettings& settings) {
  Answering answering;
  answering.deadline = run.config.integrate.deadline;
  if (settings.judges)
    answering.ask = [&](const std::vector<std::size_t>& engines) { train(run, directory, engines, settings.train); };
  return ask_engines(run, directory, table, arrivals, answering);
}

ExitStatus say_open(const RunDirectory& directory, const Asking& asking) {
  std::string text = "Nothing is decided yet: the law asks for more judgments\n";
  for (const auto& [engine, cases] : asking.open)
    text += fmt::format("  {}: {} cases, in {}\n", engine, cases, directory.request(engine).string());
  fmt::print("{}Answer each with `hiple judge {} --engine NAME --requests`, then integrate again\n", text,
             directory.root().string());
  return status_asking;
}

/// Decides, prints and writes STATUS; where that fails, STATUS says so.
ExitStatus decide(const PreparedRun& run, const RunDirectory& directory, RunTable& table, double deadline,
                  const AloneSettings& settings, Clock::time_point start) {
  try {
    enter(settings.train.phase, Phase::integrate);
    WaitSettings wait;
    wait.deadline = deadline;
    auto arrivals = wait_for_engines(Collector(run, directory, table), wait);
    const Asking asking = table.in_memory() ? ask(run, directory, table.whole(), arrivals, settings) : Asking{};
    if (!asking.open.empty()) return say_open(directory, asking);
    enter(settings.train.phase, Phase::integrate);
    report::Summary summary = integrate(run, directory, table, arrivals, {}, settings.threads);
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (settings.watched) settings.watched(summary);
    if (settings.trains) summary.rank_seconds = rank_seconds(run, directory, 1, summary.seconds, summary.law_seconds);
    return finish(directory, summary, settings.prints);
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
  RunTable table(run, settings.most_cases, settings.threads);  // refuses what is wrong before anything is created
  if (!settings.fresh) check_data(directory, run, [&](const auto& columns) { return table.slice(columns); });
  const Lock lock(directory.lock(), "the run", settings.train.job);
  start_directory(directory, run, settings.fresh);
  const Plan plan = make_plan(engine_costs(run.config, run.schema), 1);
  train(run, directory, plan.engines.at(0), settings.train);
  return decide(run, directory, table, 0, settings, start);
}

EngineOutcome train_alone(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                          const TrainSettings& settings) {
  check_directory(directory, run.config, false, {});
  join_directory(directory, run);
  return with_limits(run, settings, [&](const TrainSettings& all) { return train_engine(run, directory, engine, all); });
}

std::vector<EngineOutcome> train_alone(const PreparedRun& run, const RunDirectory& directory,
                                       const std::vector<std::size_t>& engines, const TrainSettings& settings) {
  check_directory(directory, run.config, false, {});
  join_directory(directory, run);
  return with_limits(run, settings, [&](const TrainSettings& all) { return train_engines(run, directory, engines, all); });
}

ExitStatus answer_request(const PreparedRun& run, const RunDirectory& directory, const std::string& engine) {
  const EngineConfig& config = run.engine(engine);
  if (!std::filesystem::exists(directory.judgments(engine)))
    throw InputError(Place{directory.judgments(engine).string()}, "no such file", "the engine is not trained",
                     "train it with `hiple train`");
  return has_request(directory, engine) ? train_alone(run, directory, config, {}).status : ExitStatus::done;
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
