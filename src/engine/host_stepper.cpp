#include "engine/host_stepper.hpp"

#include <algorithm>
#include <numeric>

namespace hiple::engine {

namespace {

class HostStepper final : public Stepper {
 public:
  explicit HostStepper(const StepperSource& source)
      : network_(source.network),
        data_(source.data),
        adam_(adam_config(source.config), source.network.parameters().size(), source.threads),
        pass_(source.network, static_cast<std::int64_t>(source.batch()), source.generator, source.threads),
        check_(source.network, early_stop_batch, source.threads),
        training_loss_(data_.training, data_.target.outputs(), data_.target.is_regression(), source.batch()),
        check_loss_(data_.early_stop, data_.target.outputs(), data_.target.is_regression(),
                    static_cast<std::size_t>(early_stop_batch)),
        check_gradient_(static_cast<std::size_t>(early_stop_batch) * data_.target.outputs()),
        check_rows_(data_.early_stop.rows()) {
    std::iota(check_rows_.begin(), check_rows_.end(), 0U);
  }

  [[nodiscard]] std::string kind() const override { return "cpu"; }
  [[nodiscard]] std::size_t most_steps() const override { return 1; }
  void begin_epoch(std::span<const std::uint32_t> order) override { order_ = order; }

  void launch(std::span<const StepPlan> steps) override {
    const StepPlan& step = steps.front();
    const auto rows = order_.subspan(step.first, step.rows);
    pass_.load(data_.training.examples(), rows);
    const std::span<const float> outputs = pass_.forward(step.epoch, step.step_of_epoch);
    sum_ = training_loss_(rows, outputs, pass_.output_gradient().first(outputs.size()));
    pass_.backward();
    adam_.step(network_.parameters(), network_.gradients(), step.learning_rate);
  }
  std::span<const BatchLoss::Sum> finish() override { return {&sum_, 1}; }

  BatchLoss::Sum early_stop_loss(const std::function<void()>& beat) override {
    BatchLoss::Sum all;
    const auto largest = static_cast<std::size_t>(early_stop_batch);
    for (std::size_t first = 0; first < check_rows_.size(); first += largest) {
      if (beat) beat();
      const auto rows = std::span<const std::uint32_t>(check_rows_).subspan(first, std::min(largest, check_rows_.size() - first));
      const std::span<const float> outputs = check_.forward(data_.early_stop.examples(), rows);
      const BatchLoss::Sum sum = check_loss_(rows, outputs, std::span(check_gradient_).first(outputs.size()));
      all.loss += sum.loss * sum.weight;
      all.weight += sum.weight;
    }
    all.loss /= all.weight;
    return all;
  }

  void read_parameters(std::span<float> parameters) override { std::ranges::copy(network_.parameters(), parameters.begin()); }
  void change_parameters(const std::function<void(std::span<float>)>& change) override { change(network_.parameters()); }

  [[nodiscard]] TrainingNumbers numbers() override {
    const auto copy = [](std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); };
    return {copy(network_.parameters()), copy(adam_.first_moment()), copy(adam_.second_moment()), adam_.steps()};
  }

  void set_numbers(const TrainingNumbers& numbers) override {
    std::ranges::copy(numbers.parameters, network_.parameters().begin());
    std::ranges::copy(numbers.first_moment, adam_.first_moment().begin());
    std::ranges::copy(numbers.second_moment, adam_.second_moment().begin());
    adam_.set_steps(numbers.steps);
  }

 private:
  Network& network_;
  const TrainingData& data_;
  Adam adam_;
  TrainingPass pass_;
  JudgingPass check_;
  BatchLoss training_loss_, check_loss_;
  std::vector<float> check_gradient_;
  std::vector<std::uint32_t> check_rows_;
  std::span<const std::uint32_t> order_;
  BatchLoss::Sum sum_;
};

}  // namespace

std::unique_ptr<Stepper> make_host_stepper(const StepperSource& source) { return std::make_unique<HostStepper>(source); }

AdamConfig adam_config(const TrainConfig& config) {
  AdamConfig adam;
  adam.weight_decay = config.weight_decay;
  adam.decoupled = config.optimizer == "adamw";
  adam.clip = config.clip;
  return adam;
}

}  // namespace hiple::engine
