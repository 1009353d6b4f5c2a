#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/network.hpp"
#include "engine/samples.hpp"

namespace hiple::engine {

/// One step: rows `first` .. `first + rows - 1` of the epoch's order.
struct StepPlan {
  std::uint64_t first = 0;
  std::uint32_t rows = 0;
  std::uint32_t epoch = 0, step_of_epoch = 0;  ///< of the dropout masks
  double learning_rate = 0;
};

/// What a training goes on from: numbers as the network's flat buffer has them.
struct TrainingNumbers {
  std::vector<float> parameters, first_moment, second_moment;
  std::uint64_t steps = 0;
};

/// What computes the steps of a training: the processor (host_stepper.hpp) or a device (device_stepper.hpp). The trainer says
/// which rows come when, and everything that decides is with it.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// What it computes on, for records: "cpu", "cuda".
  [[nodiscard]] virtual std::string kind() const = 0;
  /// How many steps it takes at a time at most. A device is waited for once for all of them.
  [[nodiscard]] virtual std::size_t most_steps() const = 0;
  /// The training rows in the order of an epoch. Must outlive the epoch.
  virtual void begin_epoch(std::span<const std::uint32_t> order) = 0;
  /// Begins these steps, one after the other; a device's are not waited for. The first call has one.
  virtual void launch(std::span<const StepPlan> steps) = 0;
  /// The losses before each of the steps that launch() began, which are done then. Valid until the next call.
  virtual std::span<const BatchLoss::Sum> finish() = 0;
  /// The mean loss on the early-stop rows, and their weight. `beat`: called for every batch where that takes time; may be empty.
  virtual BatchLoss::Sum early_stop_loss(const std::function<void()>& beat) = 0;

  virtual void read_parameters(std::span<float> parameters) = 0;
  /// Lets somebody change the parameters.
  virtual void change_parameters(const std::function<void(std::span<float>)>& change) = 0;
  [[nodiscard]] virtual TrainingNumbers numbers() = 0;
  virtual void set_numbers(const TrainingNumbers& numbers) = 0;
};

/// What every stepper is made from. All of it outlives the stepper.
struct StepperSource {
  const std::string& name;  ///< the engine's, for messages
  Network& network;         ///< with the parameters to begin with
  const TrainConfig& config;
  const TrainingData& data;
  const Philox& generator;
  int threads = 1;

  /// Rows of a step.
  [[nodiscard]] std::size_t batch() const { return std::min(static_cast<std::size_t>(config.batch), data.training.rows()); }
};

/// Rows of the early-stop part that are looked at together.
inline constexpr std::int64_t early_stop_batch = 1024;

}  // namespace hiple::engine
