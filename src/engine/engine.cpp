#include "engine/engine.hpp"

#include <fmt/format.h>

#include <new>

#include "base/error.hpp"
#include "engine/judging.hpp"
#include "engine/train_to_end.hpp"

namespace hiple::engine {

struct Engine::State {
  Model model;
  Progress progress;
  std::string device;
  int threads = 1;
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Engine Engine::train(const Table& table, const EngineConfig& config, const Parts& parts, std::uint64_t seed,
                     const TrainOptions& options) {
  try {
    const Checkpoint finished = train_to_end(table, config, parts, seed, options);
    return Engine(std::make_unique<State>(
        State{make_model(finished, finished.best), progress_of(finished.state, config.train), finished.device, options.threads}));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("engine {}: not enough memory to train on {} rows", config.name, parts.training.size()));
  }
}

Engine Engine::load(const std::filesystem::path& checkpoint) {
  const Checkpoint stored = read_checkpoint(checkpoint);
  if (!stored.finished) {
    throw InputError({checkpoint.string(), 0, 0}, "engine " + stored.config.name + " is not trained to its end",
                     fmt::format("{} of {} epochs are done", stored.state.epoch, stored.config.train.epochs),
                     "go on with `hiple train`");
  }
  return Engine(std::make_unique<State>(
      State{make_model(stored, stored.best), progress_of(stored.state, stored.config.train), stored.device, stored.threads}));
}

Judgments Engine::judge(const Table& table, const std::function<void()>& beat) const {
  return judge(table, all_rows(table), beat);
}

Judgments Engine::judge(const Table& table, std::span<const std::uint32_t> rows, const std::function<void()>& beat) const {
  Judgments judgments = hiple::engine::judge(state_->model, table, rows, state_->threads, beat);
  judgments.training_seconds = state_->progress.seconds;
  judgments.steps = state_->progress.step;
  judgments.samples = state_->progress.samples;
  return judgments;
}

HeldOut Engine::held_out(const Table& table, std::span<const std::uint32_t> test, const Judgments& judgments) const {
  return held_out_figures(state_->model.target, table, test, judgments);
}

const EngineConfig& Engine::config() const { return state_->model.config; }
std::uint64_t Engine::parameters() const { return state_->model.network.layout().parameters; }
Progress Engine::progress() const { return state_->progress; }
const std::string& Engine::device() const { return state_->device; }
double Engine::temperature() const { return state_->model.temperature; }

}  // namespace hiple::engine
