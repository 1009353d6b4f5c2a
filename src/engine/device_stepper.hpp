#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "engine/adam.hpp"
#include "engine/device_backward.hpp"
#include "engine/device_forward.hpp"
#include "engine/first_step.hpp"
#include "engine/host_stepper.hpp"

namespace hiple::engine::device {

/// Steps on a device. Everything lies in its memory: a block of steps needs the plan of each at its begin and gives a loss for
/// each at its end, and nothing is waited for in between. A step is a fixed sequence of kernels and products, recorded once.
/// `Platform` is what computes: CUDA (cuda_platform.hpp), or, in the tests, the processor.
template <class Platform>
class DeviceStepper final : public Stepper {
 public:
  DeviceStepper(std::unique_ptr<Platform> platform, const StepperSource& source)
      : platform_(std::move(platform)),
        source_(source),
        adam_(adam_config(source.config)),
        regression_(source.data.target.is_regression()),
        layout_(source.network.layout()),
        training_(*platform_, source.data.training),
        early_stop_(*platform_, source.data.early_stop),
        order_(platform_->template array<std::uint32_t>(source.data.training.rows())),
        embeddings_(*platform_, source.network.shape(), layout_),
        forward_(*platform_, source.network.shape(), layout_, batch(), true),
        check_(*platform_, source.network.shape(), layout_, early_stop_batch, false),
        backward_(*platform_, source.network.shape(), layout_, batch(), forward_),
        parameters_(platform_->template array<float>(layout_.size)),
        gradients_(platform_->template array<float>(layout_.size)),
        optimizer_(*platform_, layout_.size, adam_.clip),
        plans_(platform_->template array<Step>(most)),
        index_(platform_->template array<std::uint32_t>(1)),
        row_losses_(platform_->template array<double>(most * static_cast<std::size_t>(std::max(batch(), early_stop_batch)))),
        losses_(platform_->template array<double>(most)),
        check_gradient_(platform_->template array<float>(filled_up(early_stop_batch, source.network.shape().outputs))) {
    sums_.reserve(most);
    steps_to_send_.reserve(most);
    platform_->write(parameters_, std::as_const(source.network).parameters());
  }

  [[nodiscard]] std::string kind() const override { return Platform::kind; }
  [[nodiscard]] std::size_t most_steps() const override { return most; }

  void begin_epoch(std::span<const std::uint32_t> order) override {
    epoch_ = order;
    platform_->write(order_, order);
  }

  void launch(std::span<const StepPlan> steps) override {
    send(steps);
    if (!checked_) return check_first(steps);
    if (!recorded_) recorded_.emplace(platform_->record([this] { step(); }));
    for (std::size_t i = 0; i < steps.size(); ++i) platform_->launch(*recorded_);
  }

  std::span<const BatchLoss::Sum> finish() override {
    sum_losses(static_cast<std::size_t>(batch()));
    return sums_;
  }

  BatchLoss::Sum early_stop_loss(const std::function<void()>& beat) override {
    BatchLoss::Sum all;
    const std::size_t rows = source_.data.early_stop.rows(), largest = early_stop_batch;
    for (std::size_t first = 0; first < rows;) {
      if (beat) beat();
      steps_to_send_.clear();
      sums_.clear();
      for (; first < rows && sums_.size() < most; first += largest) {
        const std::size_t count = std::min(largest, rows - first);
        const double weight = weight_of(first, count);
        steps_to_send_.push_back(
            {.first = first, .rows = static_cast<std::uint32_t>(count), .normaliser = weight > 0 ? weight : 1});
        sums_.push_back({0, weight});
      }
      send_plans();
      if (!recorded_check_) recorded_check_.emplace(platform_->record([this] { check_step(); }));
      for (std::size_t i = 0; i < sums_.size(); ++i) platform_->launch(*recorded_check_);
      sum_losses(largest);
      for (const BatchLoss::Sum& sum : sums_) {
        all.loss += sum.loss * sum.weight;
        all.weight += sum.weight;
      }
    }
    all.loss /= all.weight;
    return all;
  }

  void read_parameters(std::span<float> parameters) override { platform_->read(parameters_, parameters); }

  void change_parameters(const std::function<void(std::span<float>)>& change) override {
    std::vector<float> parameters(layout_.size);
    platform_->read(parameters_, std::span(parameters));
    change(parameters);
    platform_->write(parameters_, std::span<const float>(parameters));
  }

  [[nodiscard]] TrainingNumbers numbers() override {
    TrainingNumbers numbers;
    numbers.parameters.resize(layout_.size);
    numbers.first_moment.resize(layout_.size);
    numbers.second_moment.resize(layout_.size);
    platform_->read(parameters_, std::span(numbers.parameters));
    platform_->read(optimizer_.first, std::span(numbers.first_moment));
    platform_->read(optimizer_.second, std::span(numbers.second_moment));
    numbers.steps = steps_;
    return numbers;
  }

  void set_numbers(const TrainingNumbers& numbers) override {
    platform_->write(parameters_, std::span<const float>(numbers.parameters));
    platform_->write(optimizer_.first, std::span<const float>(numbers.first_moment));
    platform_->write(optimizer_.second, std::span<const float>(numbers.second_moment));
    steps_ = numbers.steps;
  }

 private:
  static constexpr std::size_t most = 64;  // steps of a block

  [[nodiscard]] std::int64_t batch() const { return static_cast<std::int64_t>(source_.batch()); }
  [[nodiscard]] Current current() const { return {plans_.data(), index_.data()}; }

  [[nodiscard]] double weight_of(const StepPlan& step) const {
    double weight = 0;
    for (const std::uint32_t row : epoch_.subspan(step.first, step.rows))
      weight += static_cast<double>(source_.data.training.weights[row]);
    return weight;
  }
  [[nodiscard]] double weight_of(std::size_t first, std::size_t count) const {
    double weight = 0;
    for (std::size_t row = first; row < first + count; ++row) weight += static_cast<double>(source_.data.early_stop.weights[row]);
    return weight;
  }

  void send(std::span<const StepPlan> steps) {
    steps_to_send_.clear();
    sums_.clear();
    for (const StepPlan& step : steps) {
      const double weight = weight_of(step);
      sums_.push_back({0, weight});
      steps_to_send_.push_back({.first = step.first,
                                .rows = step.rows,
                                .epoch = step.epoch,
                                .step_of_epoch = step.step_of_epoch,
                                .normaliser = weight > 0 ? weight : 1,
                                .adam = adam_factors(adam_, ++steps_, step.learning_rate)});
    }
    send_plans();
  }

  void send_plans() {
    platform_->write(plans_, std::span<const Step>(steps_to_send_));
    platform_->for_each(1, RestartSteps{index_.data()});
  }

  /// The losses of the block into sums_; the device has done all of it then.
  void sum_losses(std::size_t rows) {
    platform_->for_each(sums_.size(), SumLosses{plans_.data(), row_losses_.data(), rows, losses_.data()});
    double values[most];
    platform_->read(losses_, std::span(values, sums_.size()));
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].loss = values[i];
  }

  void step() {
    const Table table = training_.table(order_.data());
    const NetworkShape& shape = source_.network.shape();
    forward_.run(*platform_, current(), table, embeddings_, parameters_.data(), source_.generator.key());
    compute_loss(*platform_, current(), table, forward_.layers.back().values.data(), shape.outputs, regression_,
                 static_cast<std::size_t>(batch()), backward_.output_gradient.data(), row_losses_.data());
    backward_.run(*platform_, current(), table, embeddings_, forward_, parameters_.data(), gradients_.data());
    optimizer_.run(*platform_, current(), parameters_.data(), gradients_.data());
    platform_->for_each(1, NextStep{index_.data()});
  }

  void check_step() {
    const Table table = early_stop_.table(nullptr);
    check_.run(*platform_, current(), table, embeddings_, parameters_.data(), source_.generator.key());
    compute_loss(*platform_, current(), table, check_.layers.back().values.data(), source_.network.shape().outputs, regression_,
                 static_cast<std::size_t>(early_stop_batch), check_gradient_.data(), row_losses_.data());
    platform_->for_each(1, NextStep{index_.data()});
  }

  /// The first step is computed by the processor too: a device whose driver or libraries compute something else is found out
  /// before anybody rests on it. It is not recorded, for a kernel's first launch may load it.
  void check_first(std::span<const StepPlan> steps) {
    if (steps.size() != 1) throw Error("the first step of a device is not computed together with others");
    std::vector<float> parameters(layout_.size), gradients(layout_.size);
    platform_->read(parameters_, std::span(parameters));
    const StepPlan& first = steps.front();
    const FirstStep ours = first_step(source_, parameters, epoch_.subspan(first.first, first.rows), first);
    step();
    sum_losses(static_cast<std::size_t>(batch()));
    platform_->read(gradients_, std::span(gradients));
    refuse_other_step(source_, ours, sums_.front().loss, gradients, platform_->name());
    checked_ = true;
  }

  std::unique_ptr<Platform> platform_;
  StepperSource source_;
  AdamConfig adam_;
  bool regression_;
  Layout layout_;
  ResidentSamples<Platform> training_, early_stop_;
  typename Platform::template Array<std::uint32_t> order_;
  Embeddings<Platform> embeddings_;
  Forward<Platform> forward_, check_;
  Backward<Platform> backward_;
  typename Platform::template Array<float> parameters_, gradients_;
  Optimizer<Platform> optimizer_;
  typename Platform::template Array<Step> plans_;
  typename Platform::template Array<std::uint32_t> index_;
  typename Platform::template Array<double> row_losses_, losses_;  // [steps, rows] and [steps]
  typename Platform::template Array<float> check_gradient_;
  std::optional<typename Platform::Recording> recorded_, recorded_check_;
  std::span<const std::uint32_t> epoch_;
  std::vector<Step> steps_to_send_;
  std::vector<BatchLoss::Sum> sums_;
  std::uint64_t steps_ = 0;  // of Adam
  bool checked_ = false;
};

}  // namespace hiple::engine::device
