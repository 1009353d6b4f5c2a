#include <signal.h>

#include <atomic>

#include "base/file.hpp"
#include "run/stop_signals.hpp"
#include "run/supervise.hpp"
#include "run/train_here.hpp"

namespace hiple {

namespace {

Verdict verdict_of(const EngineOutcome& outcome) {
  switch (outcome.state) {
    case EngineOutcome::State::trained:
      return Verdict::trained;
    case EngineOutcome::State::reused:
      return Verdict::reused;
    case EngineOutcome::State::interrupted:
      return Verdict::interrupted;
    case EngineOutcome::State::failed:
      break;
  }
  if (!outcome.repeatable) return Verdict::failed;
  return outcome.status == ExitStatus::bad_input ? Verdict::bad_input : Verdict::repeatable;
}

}  // namespace

ExitStatus train_in_child(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                          const TrainSettings& settings, const process::Pulse& pulse, std::uint64_t attempt_number) {
  name_temporaries("attempt" + std::to_string(attempt_number) + ".");
  const StopSignals signals;
  Attempt attempt;
  attempt.number = attempt_number;
  attempt.isolation = "process";
  attempt.request = StopSignals::take;
  attempt.beat = [&pulse] {
    pulse->training = 0;
    pulse.beat();
  };
  attempt.on_save = [&pulse] {
    pulse.beat();
    pulse->last_save = process::monotonic_now();
  };
  attempt.on_step = [&pulse, first = true](std::uint64_t step) mutable {
    if (first) pulse->begun_step = step - 1;
    first = false;
    pulse->training = 1;
    pulse.step(step);
  };
  pulse.beat();
  TrainSettings staged = settings;
  staged.phase = [&pulse](Phase phase, const std::string&) {
    pulse->stage = static_cast<std::uint32_t>(phase == Phase::judge   ? Stage::judge
                                              : phase == Phase::write ? Stage::write
                                                                      : Stage::train);
  };
  const EngineOutcome outcome = train_here(run, directory, engine, staged, attempt);
  pulse.end(static_cast<std::uint32_t>(verdict_of(outcome)), outcome.reason);
  return outcome.status;
}

}  // namespace hiple
