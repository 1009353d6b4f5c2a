#include "run/train_here.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <optional>

#include "base/error_kinds.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "engine/judging.hpp"
#include "engine/target.hpp"
#include "judgment/add_judgments.hpp"
#include "process/sandbox.hpp"
#include "run/asked_cases.hpp"
#include "run/devices.hpp"
#include "run/engine_record.hpp"
#include "run/host.hpp"
#include "run/identity.hpp"
#include "run/learned_rows.hpp"
#include "run/train_command.hpp"
#include "run/writer.hpp"
#include "table/select.hpp"
#include "table/split.hpp"
#include "table/table_reading.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void beat(const Attempt& attempt) {
  if (attempt.beat) attempt.beat();
}

/// The engine's judgments, where they and its result are there already. A damaged file is none: it is made again, from the
/// checkpoint where that is whole.
std::optional<Judgments> held_judgments(const RunDirectory& directory, const std::string& engine, const Identity& identity,
                                        EngineLog& log) {
  const auto file = directory.judgments(engine);
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    Judgments judgments = read_judgments(file);
    read_result(directory.result(engine));
    if (Identity{judgments.config_sha256, judgments.data_sha256} == identity) return judgments;
    log.line("the judgments that are there were made from other data or another configuration: training again");
  } catch (const InputError& error) {
    log.line(std::string("training again: ") + error.what());
  }
  // Gone before training starts, so that nobody takes them for the new ones.
  std::filesystem::remove(file);
  return std::nullopt;
}

void describe(const Table& table, const engine::Parts& parts, EngineLog& log) {
  for (const std::string& cell : table.text_of_invalid) log.line("invalid value: " + cell);
  log.line(fmt::format("{} rows in the table; of the engine's own: training {}, early stop {}, calibration {}, test {}",
                       table.rows(), parts.training.size(), parts.early_stop.size(), parts.calibration.size(),
                       parts.test.size()));
}

/// What one attempt's training tells and asks.
struct Hooks {
  ProgressFile progress;
  FaultInjector faults;
  EngineLog& log;
};

/// The device that computes an engine's steps. It is opened here, and only where the engine may use one.
int device_for(const EngineConfig& engine, const Seat& seat, EngineLog& log) {
  if (!may_use_device(engine) || !built_with_cuda()) return processor;
  const std::vector<Device> devices = visible_devices();
  const Placement placement = place(static_cast<int>(devices.size()), seat, process_environment());
  if (placement.device != processor)
    log.line(fmt::format("gets device {} ({}), {} on it", placement.device,
                         devices.at(static_cast<std::size_t>(placement.device)).name,
                         placement.sharing == 1 ? "alone" : fmt::format("one of up to {} ranks", placement.sharing)));
  return placement.device;
}

engine::TrainOptions options_for(const RunDirectory& directory, const EngineConfig& engine, const Identity& identity,
                                 const TrainSettings& settings, const Attempt& attempt, Hooks& hooks) {
  engine::TrainOptions options;
  options.checkpoint = directory.checkpoint(engine.name);
  options.identity = identity.config_sha256 + identity.data_sha256;
  options.device = device_for(engine, settings.seat, hooks.log);
  hooks.progress.set_device(options.device == processor ? "cpu" : fmt::format("cuda:{}", options.device));
  options.on_epoch = [&hooks](const engine::Progress& now) { hooks.progress.note(now); };
  options.on_note = [&hooks](const std::string& text) { hooks.log.line(text); };
  options.on_save = attempt.on_save;
  options.request = attempt.request;
  options.beat = attempt.beat;
  if (attempt.on_step || settings.on_step) {
    options.on_step = [&](std::uint64_t step) {
      if (attempt.on_step) attempt.on_step(step);
      if (settings.on_step) settings.on_step(step);
    };
  }
  if (hooks.faults.any())
    options.tamper = [&hooks](std::uint64_t step, std::span<float> parameters) { hooks.faults.strike(step, parameters); };
  return options;
}

/// What is known of the walls around this process.
IsolationRecord isolation_of(const Attempt& attempt) {
  IsolationRecord record;
  record.kind = attempt.isolation;
  record.attempt = attempt.number;
  record.mapped = process::mapped_libraries(process::speaking_libraries());
  record.internet = process::try_internet();
  if (record.kind == "process" && (!record.mapped.empty() || record.internet == "opened"))
    throw Error("the engine's process is not as isolated as it must be: an internet socket was " + record.internet + ", and " +
                (record.mapped.empty() ? "no library" : record.mapped.front()) + " of MPI or NCCL is mapped");
  return record;
}

/// The first judgments of an engine that has just been trained, with its figures.
Judgments judge_first(const PreparedRun& run, const RunDirectory& directory, const engine::Engine& trained, const Table& table,
                      const engine::Parts& parts, const std::vector<std::uint32_t>& rows, const Attempt& attempt) {
  Judgments judgments = trained.judge(table, rows, attempt.beat);
  // Figures are over all test rows of the engine, whoever asks about them.
  const bool whole = !run.config.integrate.on_demand();
  const engine::HeldOut held_out =
      trained.held_out(table, parts.test, whole ? judgments : trained.judge(table, parts.test, attempt.beat));
  beat(attempt);
  FinishedRecord record{trained.config().name, trained.config().domain,
                        trained.parameters(),  trained.progress(),
                        trained.temperature(), held_out,
                        isolation_of(attempt), std::nullopt,
                        trained.device()};
  write_result(directory.result(trained.config().name), record, parts);
  return judgments;
}

/// What the program of a command says of every case, with its figures.
Judgments judge_by_program(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine, const Table& table,
                           const engine::Parts& parts, const TrainSettings& settings, const Attempt& attempt, EngineLog& log) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  CommandOutcome outcome = train_command(run, directory, engine, table, parts, attempt, log);
  enter(settings.phase, Phase::judge, engine.name);
  FinishedRecord record;
  record.engine = engine.name;
  record.domain = engine.domain;
  record.progress = {0, 0, outcome.record.steps, 0, unknown, unknown, unknown, outcome.record.seconds};
  record.held_out = engine::held_out_figures(engine::make_target(table, engine.target), table, parts.test, outcome.judgments);
  record.isolation = isolation_of(attempt);
  record.isolation.mapped = outcome.record.mapped;
  record.command = std::move(outcome.record);
  record.device = "its own";
  beat(attempt);
  write_result(directory.result(engine.name), record, parts);
  return std::move(outcome.judgments);
}

/// Trains, or goes on to judge what `held` lacks of the rows that were asked for.
Judgments judge_by_network(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine, const Table& table,
                           const engine::Parts& parts, const Identity& identity, std::optional<Judgments> held,
                           const std::vector<std::uint32_t>& asked, const TrainSettings& settings, const Attempt& attempt,
                           EngineLog& log) {
  Hooks hooks{ProgressFile(directory.progress(engine.name), settings.ranks),
              FaultInjector(faults_of(settings.faults, engine.name), attempt.number, directory.checkpoint(engine.name)), log};
  const auto trained = engine::Engine::train(table, engine, parts, run.config.seed,
                                             options_for(directory, engine, identity, settings, attempt, hooks));
  const std::string checkpoint_sha256 = sha256_file(directory.checkpoint(engine.name));
  if (held && held->checkpoint_sha256 != checkpoint_sha256) {
    log.line("the judgments that are there were made by another checkpoint: judging again");
    held.reset();
  }

  enter(settings.phase, Phase::judge, engine.name);
  beat(attempt);
  Judgments judgments;
  if (held) {
    judgments = std::move(*held);
    const auto missing = rows_not_judged(judgments, asked);
    add_judgments(judgments, trained.judge(table, missing, attempt.beat));
    log.line(fmt::format("judged {} more cases that the law asks about", missing.size()));
    hooks.faults.strike_at_request();
  } else {
    hooks.progress.last(trained.progress());
    judgments = judge_first(run, directory, trained, table, parts, asked, attempt);
  }
  judgments.checkpoint_sha256 = checkpoint_sha256;
  return judgments;
}

/// False where nothing had to be done.
bool train(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine, const TrainSettings& settings,
           const Attempt& attempt, EngineLog& log) {
  const RunConfig& config = run.config;
  const Table table = read_table(config.data.table, run.schema, columns_to_read(run, engine), attempt.beat);
  beat(attempt);
  const SliceOf slice = slices_for(run, engine, table);
  const Identity identity = identity_of(run, engine, slice);
  beat(attempt);
  refuse_other_identity(directory, run, engine, slice);
  beat(attempt);
  auto held = held_judgments(directory, engine.name, identity, log);
  const auto asked = asked_rows(run, directory, engine, table, identity);
  const auto missing = held ? rows_not_judged(*held, asked) : asked;
  if (held && missing.empty()) return false;
  write_identity(directory, run, engine, slice);
  beat(attempt);

  const auto division = division_for(table, divide(table, config.data.split, config.seed), engine, config);
  const auto rows = select_rows(table, engine.cases, engine.cases_place, config.as_of);
  const auto parts = engine::make_parts(table, engine, rows, division, config.data.split, config.seed);
  describe(table, parts, log);
  beat(attempt);
  Judgments judgments = engine.is_command() ? judge_by_program(run, directory, engine, table, parts, settings, attempt, log)
                                            : judge_by_network(run, directory, engine, table, parts, identity, std::move(held),
                                                               asked, settings, attempt, log);

  enter(settings.phase, Phase::write, engine.name);
  beat(attempt);
  judgments.config_sha256 = identity.config_sha256;
  judgments.data_sha256 = identity.data_sha256;
  beat(attempt);
  make_folder(directory.judgments(engine.name).parent_path());
  write_judgments(directory.judgments(engine.name), judgments);
  return true;
}

/// What this process does while another one still writes the engine: it shows that it goes on, and ends where it is told to.
WaitForWriter wait_for_writer(const Attempt& attempt, EngineLog& log) {
  WaitForWriter wait;
  wait.meanwhile = [&attempt] {
    beat(attempt);
    if (attempt.request && attempt.request() == engine::Request::stop)
      throw Interrupted("asked to stop while another process wrote the engine");
  };
  wait.told = [&log](const std::string& who) { log.line("waits for " + who + ", which writes the engine's files"); };
  return wait;
}

EngineOutcome failure(EngineOutcome outcome, const std::string& reason, ExitStatus status, bool repeatable) {
  outcome.state = EngineOutcome::State::failed;
  outcome.reason = reason;
  outcome.status = status;
  outcome.repeatable = repeatable;
  return outcome;
}

void train_as_writer(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                     const TrainSettings& settings, const Attempt& attempt, EngineOutcome& outcome) {
  const auto start = Clock::now();
  EngineLog log(directory.log(engine.name), fmt::format("attempt {} (process {}): ", attempt.number, ::getpid()));
  const Writer writer(run.config, directory, engine.name, wait_for_writer(attempt, log));
  for (const auto& path : {directory.checkpoint(engine.name), directory.result(engine.name), directory.failure(engine.name),
                           directory.identity(engine.name), directory.judgments(engine.name)})
    remove_temporaries(path);
  log.line("begins: " + placement_text());
  try {
    if (!train(run, directory, engine, settings, attempt, log)) outcome.state = EngineOutcome::State::reused;
  } catch (const std::exception& error) {
    log.line(std::string("ends: ") + error.what());
    throw;
  }
  outcome.seconds = seconds_since(start);
  const bool reused = outcome.state == EngineOutcome::State::reused;
  const std::string text = reused ? "finished before, kept" : fmt::format("done in {:.2f} s", outcome.seconds);
  log.line(text);
  spdlog::info("engine {}: {}", engine.name, text);
}

}  // namespace

EngineOutcome train_here(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                         const TrainSettings& settings, const Attempt& attempt) {
  EngineOutcome outcome;
  outcome.engine = engine.name;
  enter(settings.phase, has_request(directory, engine.name) ? Phase::judge : Phase::train, engine.name);
  try {
    train_as_writer(run, directory, engine, settings, attempt, outcome);
    return outcome;
  } catch (const Interrupted& error) {
    outcome.state = EngineOutcome::State::interrupted;
    outcome.reason = error.what();
    outcome.status = ExitStatus::partial;
    return outcome;
  } catch (const InputError& error) {
    return failure(std::move(outcome), error.what(), error.status(), true);
  } catch (const RepeatableError& error) {
    return failure(std::move(outcome), error.what(), error.status(), true);
  } catch (const std::bad_alloc&) {
    return failure(std::move(outcome), "not enough memory", ExitStatus::failed, false);
  } catch (const std::exception& error) {
    return failure(std::move(outcome), error.what(), ExitStatus::failed, false);
  }
}

}  // namespace hiple
