#include "run/train_engine.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "engine/engine.hpp"
#include "judgment/judgment.hpp"
#include "run/check_columns.hpp"
#include "run/engine_record.hpp"
#include "run/host.hpp"
#include "run/lock.hpp"
#include "table/select.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Whether the engine's judgments and result are there already. A damaged file is none: it is made again, from the checkpoint
/// where that is whole.
bool is_finished(const RunDirectory& directory, const std::string& engine, const Identity& identity, EngineLog& log) {
  const auto file = directory.judgments(engine);
  if (!std::filesystem::exists(file)) return false;
  try {
    const Judgments judgments = read_judgments(file);
    read_result(directory.result(engine));
    if (Identity{judgments.config_sha256, judgments.data_sha256} == identity) return true;
    log.line("the judgments that are there were made from other data or another configuration: training again");
  } catch (const InputError& error) {
    log.line(std::string("training again: ") + error.what());
  }
  // Gone before training starts, so that nobody takes them for the new ones.
  std::filesystem::remove(file);
  return false;
}

void describe(const Table& table, const engine::Parts& parts, EngineLog& log) {
  for (const std::string& cell : table.text_of_invalid) log.line("invalid value: " + cell);
  log.line(fmt::format("{} rows in the table; of the engine's own: training {}, early stop {}, calibration {}, test {}",
                       table.rows(), parts.training.size(), parts.early_stop.size(), parts.calibration.size(),
                       parts.test.size()));
}

engine::TrainOptions options_for(const RunDirectory& directory, const EngineConfig& engine, const Identity& identity,
                                 const TrainSettings& settings, ProgressFile& progress) {
  engine::TrainOptions options;
  options.checkpoint = directory.checkpoint(engine.name);
  options.identity = identity.config_sha256 + identity.data_sha256;
  options.on_epoch = [&progress](const engine::Progress& now) { progress.note(now); };
  options.on_step = settings.on_step;
  return options;
}

/// A checkpoint of another configuration or other data would be refused: it belongs to a run that is over.
void forget_other_checkpoint(const RunDirectory& directory, const EngineConfig& engine, const Identity& identity) {
  const auto note = directory.identity(engine.name);
  const std::string wanted = identity.config_sha256 + " " + identity.data_sha256 + "\n";
  if (std::filesystem::exists(note) && read_file(note) == wanted) return;
  std::filesystem::remove(directory.checkpoint(engine.name));
  std::filesystem::remove(directory.progress(engine.name));
  write_file(note, wanted);
}

/// False where nothing had to be done.
bool train(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine, const TrainSettings& settings,
           EngineLog& log) {
  const RunConfig& config = run.config;
  const Table table = read_table(config.data.table, run.schema, columns_of(config, engine, run.schema));
  const Identity identity = identity_of(run, engine, table);
  if (is_finished(directory, engine.name, identity, log)) return false;
  forget_other_checkpoint(directory, engine, identity);

  const auto division = divide(table, config.data.split, config.seed);
  const auto rows = select_rows(table, engine.cases, engine.cases_place, config.as_of);
  const auto parts = engine::make_parts(table, engine, rows, division, config.data.split, config.seed);
  describe(table, parts, log);
  ProgressFile progress(directory.progress(engine.name), settings.ranks);
  const auto trained =
      engine::Engine::train(table, engine, parts, config.seed, options_for(directory, engine, identity, settings, progress));
  progress.last(trained.progress());

  enter(settings.phase, Phase::judge, engine.name);
  Judgments judgments = trained.judge(table);
  const engine::HeldOut held_out = trained.held_out(table, parts.test, judgments);

  enter(settings.phase, Phase::write, engine.name);
  judgments.checkpoint_sha256 = sha256_file(directory.checkpoint(engine.name));
  judgments.config_sha256 = identity.config_sha256;
  judgments.data_sha256 = identity.data_sha256;
  write_result(directory.result(engine.name), trained, parts, held_out);
  make_folder(directory.all_judgments());
  write_judgments(directory.judgments(engine.name), judgments);
  return true;
}

EngineOutcome failed(const RunDirectory& directory, const std::string& engine, const std::string& reason, ExitStatus status) {
  spdlog::error("engine {} failed: {}", engine, reason);
  try {
    write_failure(directory.failure(engine), reason);
  } catch (const std::exception& error) {
    // Without the record the integrator waits for its deadline; nothing more can be done from here.
    spdlog::error("engine {}: its failure cannot be recorded: {}", engine, error.what());
  }
  return {engine, EngineOutcome::State::failed, reason, status, 0};
}

/// The caller holds the engine's lock.
EngineOutcome train_locked(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings) {
  const auto start = Clock::now();
  enter(settings.phase, Phase::train, engine.name);
  try {
    std::filesystem::remove(directory.failure(engine.name));
    for (const auto& path : {directory.checkpoint(engine.name), directory.result(engine.name), directory.failure(engine.name),
                             directory.identity(engine.name), directory.judgments(engine.name)})
      remove_temporaries(path);
    EngineLog log(directory.log(engine.name));
    log.line(placement_text());
    EngineOutcome outcome{engine.name, EngineOutcome::State::trained, {}, ExitStatus::done, 0};
    try {
      if (!train(run, directory, engine, settings, log)) outcome.state = EngineOutcome::State::reused;
    } catch (const std::exception& error) {
      log.line(std::string("failed: ") + error.what());
      throw;
    }
    outcome.seconds = seconds_since(start);
    const bool reused = outcome.state == EngineOutcome::State::reused;
    const std::string text = reused ? "finished before, kept" : fmt::format("done in {:.2f} s", outcome.seconds);
    log.line(text);
    spdlog::info("engine {}: {}", engine.name, text);
    return outcome;
  } catch (const Error& error) {
    return failed(directory, engine.name, error.what(), error.status());
  } catch (const std::bad_alloc&) {
    return failed(directory, engine.name, "not enough memory", ExitStatus::failed);
  } catch (const std::exception& error) {
    return failed(directory, engine.name, error.what(), ExitStatus::failed);
  }
}

}  // namespace

Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const Table& table) {
  return {sha256(engine_identity(run.config, engine)),
          slice_sha256(table, columns_of(run.config, engine, run.schema), all_rows(table))};
}

EngineOutcome train_engine(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                           const TrainSettings& settings) {
  const Lock lock(directory.engine_lock(engine.name), "engine " + engine.name, settings.job);
  return train_locked(run, directory, engine, settings);
}

std::vector<EngineOutcome> train_engines(const PreparedRun& run, const RunDirectory& directory,
                                         const std::vector<std::size_t>& engines, const TrainSettings& settings) {
  // All locks first: where this process dies, everybody can see which engines it leaves behind.
  std::vector<std::pair<const EngineConfig*, std::unique_ptr<Lock>>> mine;
  for (const std::size_t index : engines) {
    const EngineConfig& engine = run.config.engines.at(index);
    try {
      mine.emplace_back(&engine,
                        std::make_unique<Lock>(directory.engine_lock(engine.name), "engine " + engine.name, settings.job));
    } catch (const InputError& error) {
      spdlog::warn("engine {} is left to another process: {}", engine.name, error.what());
    }
  }
  std::vector<EngineOutcome> outcomes;
  for (auto& [engine, lock] : mine) {
    outcomes.push_back(train_locked(run, directory, *engine, settings));
    lock.reset();
  }
  return outcomes;
}

}  // namespace hiple
