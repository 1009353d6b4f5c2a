#include "run/train_engine.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "base/date.hpp"
#include "base/threads.hpp"
#include "process/sibling.hpp"
#include "run/asked_cases.hpp"
#include "run/attempt_record.hpp"
#include "run/engine_record.hpp"
#include "run/host.hpp"
#include "run/lock.hpp"
#include "run/shared_phase.hpp"
#include "run/stop_signals.hpp"
#include "run/supervise.hpp"
#include "run/train_here.hpp"

namespace hiple {

namespace {

/// In this process: signals and `stop` are asked between steps.
EngineOutcome train_in_rank(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                            const TrainSettings& settings) {
  using Clock = std::chrono::steady_clock;
  std::string why;
  Attempt attempt;
  attempt.number = next_attempt(directory.attempts(engine.name));
  attempt.request = [&, next = Clock::now()]() mutable {
    if (const engine::Request request = StopSignals::take(); request != engine::Request::none) return request;
    if (!settings.stop || Clock::now() < next) return engine::Request::none;
    next = Clock::now() + std::chrono::seconds(1);
    why = settings.stop();
    return why.empty() ? engine::Request::none : engine::Request::stop;
  };
  AttemptRecord record;
  record.attempt = attempt.number;
  record.begun = utc_now();
  record.where = host_name();
  record.rank = settings.rank;
  write_attempt_begin(directory.attempts(engine.name), record);
  const auto begin = Clock::now();
  EngineOutcome outcome = train_here(run, directory, engine, settings, attempt);
  if (outcome.state == EngineOutcome::State::interrupted && !why.empty()) outcome.reason = why;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const bool failed = outcome.state == EngineOutcome::State::failed;
  const bool interrupted = outcome.state == EngineOutcome::State::interrupted;
  record.outcome = failed ? "failed" : interrupted ? "interrupted" : "trained";
  record.reason = outcome.reason;
  record.seconds = failed ? Goodput{0, 0, seconds} : Goodput{seconds, 0, 0};
  write_attempt_end(directory.attempts(engine.name), record);
  return outcome;
}

/// The record by which the integrator knows that it need not wait.
void record_failure(const RunDirectory& directory, const Lock& lock, const EngineOutcome& outcome) {
  if (outcome.state == EngineOutcome::State::interrupted) {
    spdlog::warn("engine {} {}", outcome.engine, outcome.reason);
  } else {
    spdlog::error("engine {} failed: {}", outcome.engine, outcome.reason);
  }
  if (!lock.is_mine()) {
    spdlog::warn("engine {}: its LOCK was taken away, so another process answers for it, and no failure is recorded",
                 outcome.engine);
    return;
  }
  try {
    write_failure(directory.failure(outcome.engine), outcome.reason, outcome.last_lines);
  } catch (const std::exception& error) {
    // Without the record the integrator waits for its deadline; nothing more can be done from here.
    spdlog::error("engine {}: its failure cannot be recorded: {}", outcome.engine, error.what());
  }
}

/// An engine whose turn came after the end was asked for: not even begun.
EngineOutcome not_begun(const std::string& engine, const std::string& why) {
  EngineOutcome outcome;
  outcome.engine = engine;
  outcome.state = EngineOutcome::State::interrupted;
  outcome.status = ExitStatus::partial;
  outcome.reason = "not begun: " + why;
  return outcome;
}

/// Which request it is that stands there, if one does: each is a file of its own.
struct RequestMark {
  std::uint64_t file = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const RequestMark&) const = default;
};
std::optional<RequestMark> mark_of(const std::filesystem::path& request) {
  struct stat found {};
  if (::stat(request.c_str(), &found) != 0) return std::nullopt;
  return RequestMark{found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

/// `spawner`: null for this process itself.
EngineOutcome train_locked(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings, const Lock& lock, process::Spawner* spawner) {
  EngineOutcome outcome;
  outcome.engine = engine.name;
  const auto request = directory.request(engine.name);
  // One that comes later, as it may from the moment on in which the judgments are there, was not read and is answered next time.
  const auto asked = mark_of(request);
  try {
    std::filesystem::remove(directory.failure(engine.name));
    outcome = spawner != nullptr ? supervise(run, directory, engine, settings, *spawner)
                                 : train_in_rank(run, directory, engine, settings);
  } catch (const std::exception& error) {
    outcome.state = EngineOutcome::State::failed;
    outcome.status = ExitStatus::failed;
    outcome.reason = error.what();
  }
  if (outcome.state == EngineOutcome::State::failed) record_failure(directory, lock, outcome);
  // After a signal that asked to stop, nothing is decided about the engine: the run goes on from here one day.
  if (outcome.state == EngineOutcome::State::interrupted && !StopSignals::stop_asked()) {
    outcome.reason = "stopped, to go on from its checkpoint: " + outcome.reason;
    record_failure(directory, lock, outcome);
  }
  const bool answered = outcome.status == ExitStatus::done && asked && mark_of(request) == asked;
  if (answered && settings.answered) settings.answered();
  if (answered) std::filesystem::remove(request);
  return outcome;
}

process::Spawner* first_spawner(const TrainSettings& settings) {
  return settings.spawners.empty() ? nullptr : settings.spawners.front().get();
}

}  // namespace

process::Spawners make_spawners(const RunConfig& config, std::size_t at_once) {
  process::Spawners spawners;
  if (config.isolation != "process") return spawners;
  const auto program = process::sibling("hiple-spawner");
  while (spawners.size() < std::min(at_once, config.engines.size()))
    spawners.push_back(std::make_unique<process::Spawner>(program));
  return spawners;
}

EngineOutcome train_engine(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings) {
  const Lock lock(directory.engine_lock(engine.name), "engine " + engine.name, settings.job);
  const StopSignals signals;
  EngineOutcome outcome = train_locked(run, directory, engine, settings, lock, first_spawner(settings));
  StopSignals::pass_on();
  return outcome;
}

struct HeldEngines::Held {
  const EngineConfig* engine;
  std::unique_ptr<Lock> lock;
};

HeldEngines::HeldEngines(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::size_t>& engines,
                         const TrainSettings& settings)
    : run_(run), directory_(directory), settings_(settings) {
  for (const std::size_t index : engines) {
    const EngineConfig& engine = run.config.engines.at(index);
    try {
      held_.push_back(
          {&engine, std::make_unique<Lock>(directory.engine_lock(engine.name), "engine " + engine.name, settings.job)});
    } catch (const InputError& error) {
      spdlog::warn("engine {} is left to another process: {}", engine.name, error.what());
    }
  }
}

HeldEngines::~HeldEngines() = default;

EngineOutcome HeldEngines::train_next(const Held& held, const TrainSettings& settings, process::Spawner* spawner) const {
  const std::string why = settings.stop ? settings.stop() : std::string();
  if (why.empty()) return train_locked(run_, directory_, *held.engine, settings, *held.lock, spawner);
  const std::string& name = held.engine->name;
  EngineOutcome outcome = not_begun(name, why);
  // Judgments that an earlier start left are all that there is to say of it.
  if (!std::filesystem::exists(directory_.judgments(name))) record_failure(directory_, *held.lock, outcome);
  return outcome;
}

std::vector<EngineOutcome> HeldEngines::train(bool keep) {
  const StopSignals signals;
  const std::size_t places = std::clamp(settings_.spawners.size(), std::size_t{1}, std::max(held_.size(), std::size_t{1}));
  SharedPhase phase(settings_.phase, places);
  std::vector<EngineOutcome> outcomes(held_.size());
  std::atomic<std::size_t> next = 0;
  on_threads(static_cast<int>(places), [&](int number) {
    const auto place = static_cast<std::size_t>(number);
    TrainSettings settings = settings_;
    settings.phase = phase.of_place(place);
    if (!settings.spawners.empty()) settings.spawners = settings.spawners.first(places);  // those that have something to do
    process::Spawner* spawner = settings.spawners.empty() ? nullptr : settings.spawners[place].get();
    for (std::size_t i = next++; i < held_.size() && !StopSignals::stop_asked(); i = next++) {
      outcomes[i] = train_next(held_[i], settings, spawner);
      if (!keep) held_[i].lock.reset();
    }
    phase.leave(place);
  });
  if (StopSignals::stop_asked() && settings_.rank <= 0)
    spdlog::warn("stopped by a signal: engines left checkpoints, and the same command goes on from there");
  StopSignals::pass_on();
  return outcomes;
}

std::vector<EngineOutcome> HeldEngines::answer() {
  const StopSignals signals;
  std::vector<EngineOutcome> outcomes;
  for (Held& held : held_) {
    if (!held.lock || !has_request(directory_, held.engine->name)) continue;
    outcomes.push_back(train_locked(run_, directory_, *held.engine, settings_, *held.lock, first_spawner(settings_)));
    StopSignals::pass_on();
    if (outcomes.back().status != ExitStatus::done) held.lock.reset();
  }
  return outcomes;
}

std::vector<EngineOutcome> train_engines(const PreparedRun& run, const RunDirectory& directory,
                                         const std::vector<std::size_t>& engines, const TrainSettings& settings) {
  return HeldEngines(run, directory, engines, settings).train(false);
}

}  // namespace hiple
