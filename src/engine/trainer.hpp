#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/adam.hpp"
#include "engine/network.hpp"
#include "engine/samples.hpp"
#include "engine/schedule.hpp"

namespace hiple::engine {

/// Where a training stands between two steps; with the parameters and Adam's moments, all that it takes to go on. Random
/// numbers need no state: they are functions of (seed, engine name) and (epoch, step, use).
struct TrainingState {
  std::int64_t epoch = 0;  ///< epochs done
  std::uint64_t step = 0;  ///< steps done
  std::uint64_t samples = 0;
  double training_loss = 0;
  double early_stop_loss = 0;
  double best_loss = std::numeric_limits<double>::infinity();
  std::int64_t best_epoch = 0;              ///< the early-stop loss was lowest after this epoch
  double seconds = 0;                       ///< in the training loop, this process and those before it
  std::uint64_t position = 0;               ///< rows of the epoch that is begun
  double epoch_loss = 0, epoch_weight = 0;  ///< sums over these rows
};

/// The training loop of one network.
class Trainer {
 public:
  /// `network` and `data` outlive the trainer. `name` is the engine's, for messages.
  Trainer(std::string name, Network& network, const TrainConfig& config, const TrainingData& data, const Philox& generator,
          int threads);

  /// Whether the epochs are done, or the early-stop loss has not improved for `early_stop` epochs.
  [[nodiscard]] bool done() const;
  /// One pass over the training rows in an order of its own, or what is left of it, then the early-stop loss. After each step
  /// `on_step` is called, and where steps are left `pause`, and `beat` for every batch of the early-stop loss; each may be empty.
  /// False where `pause` was true: the state is between two steps, and the next call goes on there. Throws RepeatableError with
  /// epoch and step where a loss is not finite.
  bool run_epoch(const std::function<void(std::uint64_t)>& on_step, const std::function<bool()>& pause = {},
                 const std::function<void()>& beat = {});

  TrainingState& state() { return state_; }
  Adam& adam() { return adam_; }
  /// The parameters of the best epoch.
  std::vector<float>& best() { return best_; }

 private:
  double train_batch(std::span<const std::uint32_t> rows, std::uint32_t step_of_epoch, double& weight);
  void shuffle_rows();
  double early_stop_loss(const std::function<void()>& beat);
  void refuse_infinite(double loss, const char* which) const;
  void finish_epoch(const std::function<void()>& beat);

  std::string name_;
  Network& network_;
  TrainConfig config_;
  const TrainingData& data_;
  Philox generator_;
  std::size_t batch_;
  Schedule schedule_;
  Adam adam_;
  TrainingPass pass_;
  JudgingPass check_;
  BatchLoss training_loss_, check_loss_;
  std::vector<float> check_gradient_;
  std::vector<std::uint32_t> order_, check_rows_;
  std::vector<float> best_;
  TrainingState state_;
};

}  // namespace hiple::engine
