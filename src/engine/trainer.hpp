#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/schedule.hpp"
#include "engine/stepper.hpp"

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

/// The training loop of one network, wherever its steps are computed.
class Trainer {
 public:
  /// What `source` names outlives the trainer. `stepper` was made from the same source.
  Trainer(const StepperSource& source, std::unique_ptr<Stepper> stepper);

  /// Whether the epochs are done, or the early-stop loss has not improved for `early_stop` epochs.
  [[nodiscard]] bool done() const;
  /// One pass over the training rows in an order of its own, or what is left of it, then the early-stop loss. After each step
  /// `on_step` is called, and where steps are left `pause`, and `beat` for every batch of the early-stop loss; each may be empty.
  /// Where the stepper takes several steps at a time, the calls come after all of them. False where `pause` was true: the state
  /// is between two steps, and the next call goes on there. Throws RepeatableError with epoch and step where a loss is not
  /// finite.
  bool run_epoch(const std::function<void(std::uint64_t)>& on_step, const std::function<bool()>& pause = {},
                 const std::function<void()>& beat = {});
  /// From now on one step at a time, for somebody who wants to see the parameters after each.
  void step_by_step() { most_steps_ = 1; }

  TrainingState& state() { return state_; }
  Stepper& stepper() { return *stepper_; }
  /// The parameters of the best epoch.
  std::vector<float>& best() { return best_; }

 private:
  void shuffle_rows();
  std::span<const StepPlan> plan_steps();
  void run_steps(const std::function<void(std::uint64_t)>& on_step);
  void refuse_infinite(double loss, const char* which) const;
  void finish_epoch(const std::function<void()>& beat);

  std::string name_;
  TrainConfig config_;
  Philox generator_;
  std::size_t batch_;
  Schedule schedule_;
  std::unique_ptr<Stepper> stepper_;
  std::size_t most_steps_, steps_at_once_ = 1;
  std::vector<StepPlan> plans_;
  std::vector<std::uint32_t> order_;
  std::vector<float> best_;
  TrainingState state_;
};

}  // namespace hiple::engine
