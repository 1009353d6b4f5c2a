#include "engine/train_to_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/build_info.hpp"
#include "base/error_kinds.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/config_json.hpp"
#include "engine/cuda_stepper.hpp"
#include "engine/host_stepper.hpp"
#include "engine/machine.hpp"

namespace hiple::engine {

namespace {

/// Refuses what this build cannot do, rather than doing something else.
void check_supported(const EngineConfig& config, const TrainOptions& options) {
  Problems problems;
  const std::string who = "engine " + config.name + ": ";
  if (config.precision != "fp32")
    problems.add(config.place, who + "precision " + config.precision + " is not built", {}, "use fp32");
  if (config.device == "cuda" && options.device == processor)
    problems.add(config.place, who + "device cuda, and there is none", {},
                 "write \"device: auto\", or start it where there is one");
  if (config.device == "cuda" && config.is_convolutional())
    problems.add(config.place, who + "convolutions are not built for CUDA", {}, "write \"device: auto\" or \"device: cpu\"");
  if (config.is_command()) problems.add(config.place, who + "type " + config.type + " is not trained here", {}, "use mlp");
  problems.throw_if_any();
}

/// Whether the steps are computed by a device: there is one, and it can compute this engine.
bool uses_device(const EngineConfig& config, const TrainOptions& options) {
  return options.device != processor && config.device != "cpu" && !config.is_convolutional();
}
std::string device_kind(const EngineConfig& config, const TrainOptions& options) {
  return uses_device(config, options) ? "cuda" : "cpu";
}

void refuse_foreign(const Checkpoint& stored, const EngineConfig& config, std::uint64_t seed, const TrainOptions& options) {
  if (stored.identity == options.identity && stored.seed == seed && stored.config.name == config.name) return;
  std::vector<std::string> differing = differences(stored.config, config);
  if (stored.seed != seed) differing.push_back(fmt::format("seed: {} and {}", stored.seed, seed));
  if (differing.empty()) {
    differing.push_back(fmt::format("data, split or seed: identity \"{}\" and \"{}\"", stored.identity, options.identity));
  }
  throw InputError({options.checkpoint.string(), 0, 0}, "the checkpoint is that of another training",
                   "there and here differ " + join(differing, "; "), "remove it, or choose another output");
}

void warn_not_bitwise(const Checkpoint& stored, const TrainOptions& options) {
  const std::string now = instruction_set(), device = device_kind(stored.config, options);
  if (stored.instruction_set == now && stored.threads == options.threads && stored.software == software() &&
      stored.device == device)
    return;
  spdlog::warn(
      "engine {}: the checkpoint was made by {} on {} ({}) with {} threads, and goes on by {} on {} ({}) with {}: not bitwise",
      stored.config.name, stored.software, stored.device, stored.instruction_set, stored.threads, software(), device, now,
      options.threads);
}

void say(const TrainOptions& options, const std::string& engine, const std::string& text) {
  spdlog::warn("engine {}: {}", engine, text);
  if (options.on_note) options.on_note(text);
}

/// Puts a damaged checkpoint aside, where somebody may look at it, so that it never takes the place of the one before.
void put_aside(const std::filesystem::path& path) {
  auto name = path.stem();
  name += ".damaged";
  name += path.extension();
  std::filesystem::rename(path, path.parent_path() / name);
}

/// The newest checkpoint that is whole, under its proper name; nothing where there is none.
std::optional<Checkpoint> newest_checkpoint(const EngineConfig& config, const TrainOptions& options) {
  const auto previous = previous_checkpoint(options.checkpoint);
  bool damaged = false;
  for (const auto& path : {options.checkpoint, previous}) {
    if (!std::filesystem::exists(path)) continue;
    try {
      Checkpoint stored = read_checkpoint(path);
      if (path == previous) {
        std::filesystem::rename(path, options.checkpoint);
        say(options, config.name,
            fmt::format("going on from the checkpoint before, of epoch {}, step {}", stored.state.epoch, stored.state.step));
      }
      return stored;
    } catch (const InputError& error) {
      say(options, config.name, std::string("a checkpoint cannot be used: ") + error.what());
      put_aside(path);
      damaged = true;
    }
  }
  if (damaged) say(options, config.name, "no checkpoint is whole: training from the start");
  return std::nullopt;
}

std::optional<Checkpoint> stored_checkpoint(const EngineConfig& config, std::uint64_t seed, const TrainOptions& options) {
  if (options.checkpoint.empty()) return std::nullopt;
  auto stored = newest_checkpoint(config, options);
  if (!stored) return std::nullopt;
  refuse_foreign(*stored, config, seed, options);
  if (!stored->finished) warn_not_bitwise(*stored, options);
  return stored;
}

/// The state of a training as it is between two steps.
void take(Checkpoint& checkpoint, Trainer& trainer) {
  checkpoint.state = trainer.state();
  TrainingNumbers numbers = trainer.stepper().numbers();
  checkpoint.weights = std::move(numbers.parameters);
  checkpoint.first_moment = std::move(numbers.first_moment);
  checkpoint.second_moment = std::move(numbers.second_moment);
  checkpoint.best = trainer.best();
}

void give_back(const Checkpoint& checkpoint, Trainer& trainer) {
  trainer.state() = checkpoint.state;
  trainer.stepper().set_numbers({checkpoint.weights, checkpoint.first_moment, checkpoint.second_moment, checkpoint.state.step});
  trainer.best() = checkpoint.best;
}

void save(const Checkpoint& checkpoint, const TrainOptions& options) {
  if (options.checkpoint.empty()) return;
  write_checkpoint(options.checkpoint, checkpoint);
  if (options.on_save) options.on_save();
}

/// Trains until the epochs are done, saving when it is due and when somebody asks for it.
void run_epochs(Checkpoint& checkpoint, Trainer& trainer, const TrainOptions& options) {
  const std::int64_t every = checkpoint.config.train.checkpoint_every;
  Request asked = Request::none;
  const auto pause = [&] {
    if (options.request) asked = options.request();
    return asked != Request::none;
  };
  const auto on_step = [&](std::uint64_t step) {
    if (options.on_step) options.on_step(step);
    if (options.tamper)
      trainer.stepper().change_parameters([&](std::span<float> parameters) { options.tamper(step, parameters); });
  };
  if (options.tamper) trainer.step_by_step();
  while (!trainer.done()) {
    const bool whole = trainer.run_epoch(on_step, pause, options.beat);
    if (whole) pause();  // after an epoch's last step nobody asked
    const bool due = whole && trainer.state().epoch % every == 0;
    if ((due || asked != Request::none) && !trainer.done()) {
      take(checkpoint, trainer);
      save(checkpoint, options);
    }
    if (whole && options.on_epoch) options.on_epoch(progress_of(trainer.state(), checkpoint.config.train));
    if (asked == Request::stop && !trainer.done())
      throw Interrupted(fmt::format("engine {}: asked to stop in epoch {}, after step {}", checkpoint.config.name,
                                    trainer.state().epoch + 1, trainer.state().step));
  }
}

}  // namespace

Progress progress_of(const TrainingState& state, const TrainConfig& config) {
  return {state.epoch,         config.epochs,         state.step,      state.samples,
          state.training_loss, state.early_stop_loss, state.best_loss, state.seconds};
}

Checkpoint train_to_end(const Table& table, const EngineConfig& config, const Parts& parts, std::uint64_t seed,
                        const TrainOptions& options) {
  const std::optional<Checkpoint> stored = stored_checkpoint(config, seed, options);
  if (stored && stored->finished) return *stored;
  check_supported(config, options);

  const TrainingData data = make_training_data(table, config, parts);
  const Philox generator(seed, config.name);
  Network network(network_shape(config.model, data.features, data.target));
  network.initialise(generator);
  const StepperSource source{config.name, network, config.train, data, generator, options.threads};
  Trainer trainer(source, uses_device(config, options) ? make_cuda_stepper(source, options.device) : make_host_stepper(source));
  if (stored) give_back(*stored, trainer);

  Checkpoint checkpoint;
  checkpoint.identity = options.identity;
  checkpoint.seed = seed;
  checkpoint.config = config;
  checkpoint.features = data.features;
  checkpoint.target = data.target;
  checkpoint.threads = options.threads;
  checkpoint.device = trainer.stepper().kind();
  run_epochs(checkpoint, trainer, options);
  take(checkpoint, trainer);
  Model model = make_model(checkpoint, checkpoint.best);
  calibrate(model, data.training, data.calibration, options.threads, options.beat);
  checkpoint.finished = true;
  checkpoint.temperature = model.temperature;
  checkpoint.typicality = model.typicality.parameters();
  save(checkpoint, options);
  return checkpoint;
}

}  // namespace hiple::engine
