#include "run/supervise.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "base/date.hpp"
#include "process/memory_group.hpp"
#include "process/sibling.hpp"
#include "run/asked_cases.hpp"
#include "run/attempt_record.hpp"
#include "run/engine_record.hpp"
#include "run/host.hpp"
#include "run/stop_signals.hpp"
#include "run/watch.hpp"

namespace hiple {

namespace {

/// Counts of the kernel's own kills for want of memory: of this process's cgroup, which is the engine's too, and of the host.
struct OomKills {
  std::optional<process::MemoryGroup> group = process::MemoryGroup::of_this_process();
  std::uint64_t of_group = group ? group->oom_kills() : 0;
  std::uint64_t of_host = process::oom_kills_of_host();
};

/// What the kernel says of a process that was ended by SIGKILL; empty where it says nothing.
std::string oom_text(const OomKills& before) {
  const OomKills now;
  if (now.of_group > before.of_group) {
    const auto limit = now.group->limit();
    constexpr double mebibyte = 1 << 20;
    return ": out of memory: the kernel ended a process of its cgroup" +
           (limit ? fmt::format(", whose limit is {:.0f} MiB", static_cast<double>(*limit) / mebibyte) : std::string());
  }
  return now.of_host > before.of_host ? ", while this host ran out of memory" : "";
}

std::vector<std::string> words_for(const RunDirectory& directory, const EngineConfig& engine, const TrainSettings& settings,
                                   std::uint64_t attempt) {
  std::vector<std::string> words = {process::sibling("hiple").string(),
                                    "train",
                                    directory.root().string(),
                                    "--engine",
                                    engine.name,
                                    "--attempt",
                                    std::to_string(attempt),
                                    "--ranks",
                                    std::to_string(settings.ranks),
                                    "--seat",
                                    std::to_string(settings.seat.local_rank) + "/" + std::to_string(settings.seat.trainers)};
  for (const Fault& fault : faults_of(settings.faults, engine.name)) words.insert(words.end(), {"--inject", fault.text});
  return words;
}

/// Why a process that said nothing itself ended.
std::string reason_of(const Ending& ending, const process::Pulse& pulse, const OomKills& oom_before, double limit) {
  std::string text;
  if (ending.unending) {
    text = "its process was killed and did not end: it hangs in the kernel, on a file system that does not answer";
  } else if (!ending.status) {
    text = "the spawner was lost, and the engine's process with it";
  } else if (ending.stalled) {
    text = fmt::format("it stood still for {:.0f} s and was ended", limit);
  } else {
    text = "its process ended with " + process::end_text(*ending.status);
    if (WIFSIGNALED(*ending.status) && WTERMSIG(*ending.status) == SIGKILL) text += oom_text(oom_before);
  }
  return text + fmt::format(", after step {}", pulse->step.load());
}

/// Where the seconds of an attempt that did not come to its end went: to the last checkpoint, to the last sign of life, and on.
Goodput seconds_of_failed(const process::Pulse& pulse, std::int64_t begin, double seconds) {
  const auto since_begin = [&](std::int64_t time) { return std::clamp(static_cast<double>(time - begin) / 1e9, 0.0, seconds); };
  Goodput result;
  result.useful = pulse->last_save > 0 ? since_begin(pulse->last_save) : 0;
  result.repeated = std::max(0.0, since_begin(pulse->last_beat) - result.useful);
  result.lost = seconds - result.useful - result.repeated;
  return result;
}

void take_verdict(Verdict verdict, EngineOutcome& outcome) {
  using State = EngineOutcome::State;
  outcome.status = ExitStatus::failed;
  outcome.repeatable = verdict == Verdict::repeatable || verdict == Verdict::bad_input;
  switch (verdict) {
    case Verdict::trained:
      outcome.state = State::trained;
      outcome.status = ExitStatus::done;
      break;
    case Verdict::reused:
      outcome.state = State::reused;
      outcome.status = ExitStatus::done;
      break;
    case Verdict::interrupted:
      outcome.state = State::interrupted;
      outcome.status = ExitStatus::partial;
      break;
    case Verdict::bad_input:
      outcome.status = ExitStatus::bad_input;
      [[fallthrough]];
    default:
      outcome.state = State::failed;
  }
}

std::string name_of(EngineOutcome::State state) {
  switch (state) {
    case EngineOutcome::State::trained:
      return "trained";
    case EngineOutcome::State::reused:
      return "reused";
    case EngineOutcome::State::interrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

EngineOutcome run_attempt(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                          const TrainSettings& settings, process::Spawner& spawner) {
  EngineOutcome outcome;
  outcome.engine = engine.name;
  const auto path = directory.attempts(engine.name);
  AttemptRecord record;
  record.attempt = next_attempt(path);
  record.begun = utc_now();
  record.where = host_name();
  record.rank = settings.rank;
  record.at_once = settings.spawners.size();
  if (spawner.lost()) spawner.revive();
  const process::Pulse pulse;
  auto [output, input] = process::make_pipe();
  const OomKills oom_before;
  const std::int64_t begin = process::monotonic_now();
  const auto words = words_for(directory, engine, settings, record.attempt);
  record.process = spawner.start(words, pulse.descriptor(), input.get()).value_or(0);
  input.reset();
  write_attempt_begin(path, record);

  const auto on_stage = [&](std::uint32_t stage) {
    enter(settings.phase, static_cast<Stage>(stage) == Stage::judge ? Phase::judge : Phase::write, engine.name);
  };
  WatchSettings watching;
  watching.step_limit = run.config.step_limit;
  watching.stop = settings.stop;
  watching.on_step = settings.on_step;
  watching.on_stage = on_stage;
  const Ending ending = watch(spawner, pulse, output.get(), watching);
  const auto verdict = static_cast<Verdict>(pulse->verdict.load());
  const bool done = verdict == Verdict::trained || verdict == Verdict::reused || verdict == Verdict::interrupted;
  take_verdict(verdict, outcome);
  outcome.seconds = ending.seconds;
  outcome.reason = pulse.reason();
  if (!done) outcome.last_lines.assign(ending.last_lines.begin(), ending.last_lines.end());
  if (verdict == Verdict::none) {
    const double limit = stall_limit(pulse->training == 1, static_cast<double>(pulse->longest_step) / 1e9, run.config.step_limit);
    outcome.reason = reason_of(ending, pulse, oom_before, limit);
    outcome.repeatable = ending.unending;  // it holds WRITER, and another attempt would wait for it
    if (ending.asked) outcome.state = EngineOutcome::State::interrupted;
  }
  if (outcome.state == EngineOutcome::State::interrupted && !ending.asked_why.empty()) outcome.reason = ending.asked_why;
  record.outcome = name_of(outcome.state);
  record.reason = outcome.reason;
  record.first_step = pulse->begun_step;
  record.last_step = pulse->step;
  record.seconds = done ? Goodput{ending.seconds, 0, 0} : seconds_of_failed(pulse, begin, ending.seconds);
  write_attempt_end(path, record);
  return outcome;
}

void wait_before_next(std::int64_t failures) {
  constexpr auto first = std::chrono::milliseconds(100), longest = std::chrono::milliseconds(30000);
  std::this_thread::sleep_for(std::min(longest, first * (std::int64_t{1} << std::min<std::int64_t>(failures, 10))));
}

}  // namespace

double stall_limit(bool training, double longest_step, double step_limit) {
  constexpr double shortest = 60, factor = 1000;
  return training ? std::min(step_limit, std::max(shortest, factor * longest_step)) : step_limit;
}

EngineOutcome supervise(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                        const TrainSettings& settings, process::Spawner& spawner) {
  EngineLog log(directory.log(engine.name), {});
  for (std::int64_t failures = 0;;) {
    enter(settings.phase, has_request(directory, engine.name) ? Phase::judge : Phase::train, engine.name);
    EngineOutcome outcome = run_attempt(run, directory, engine, settings, spawner);
    if (outcome.state != EngineOutcome::State::failed) return outcome;
    ++failures;
    if (StopSignals::take() == engine::Request::stop) outcome.state = EngineOutcome::State::interrupted;
    const bool stop = outcome.state == EngineOutcome::State::interrupted || (settings.stop && !settings.stop().empty());
    if (stop || outcome.repeatable || failures > run.config.restarts) {
      if (failures > 1) outcome.reason += fmt::format(" ({} attempts)", failures);
      return outcome;
    }
    const std::string text = fmt::format("{}; starting it again, {} of {}", outcome.reason, failures, run.config.restarts);
    log.line(text);
    spdlog::warn("engine {}: {}", engine.name, text);
    wait_before_next(failures - 1);
  }
}

}  // namespace hiple
