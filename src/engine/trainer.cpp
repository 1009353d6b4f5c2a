#include "engine/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/error_kinds.hpp"
#include "engine/random_use.hpp"

namespace hiple::engine {

namespace {

constexpr std::int64_t check_batch = 1024;

std::size_t batch_rows(const TrainConfig& config, const TrainingData& data) {
  return std::min(static_cast<std::size_t>(config.batch), data.training.rows());
}

Schedule make_schedule(const TrainConfig& config, std::size_t rows, std::size_t batch) {
  const std::uint64_t steps = static_cast<std::uint64_t>(config.epochs) * ((rows + batch - 1) / batch);
  return {config.learning_rate, static_cast<std::uint64_t>(config.warmup),
          config.schedule == "cosine" ? Decay::cosine : Decay::constant, steps};
}

AdamConfig make_adam(const TrainConfig& config) {
  AdamConfig adam;
  adam.weight_decay = config.weight_decay;
  adam.decoupled = config.optimizer == "adamw";
  adam.clip = config.clip;
  return adam;
}

}  // namespace

Trainer::Trainer(std::string name, Network& network, const TrainConfig& config, const TrainingData& data, const Philox& generator,
                 int threads)
    : name_(std::move(name)),
      network_(network),
      config_(config),
      data_(data),
      generator_(generator),
      batch_(batch_rows(config, data)),
      schedule_(make_schedule(config, data.training.rows(), batch_)),
      adam_(make_adam(config), network.parameters().size(), threads),
      pass_(network, static_cast<std::int64_t>(batch_), generator, threads),
      check_(network, check_batch, threads),
      training_loss_(data.training, data.target.outputs(), data.target.is_regression(), batch_),
      check_loss_(data.early_stop, data.target.outputs(), data.target.is_regression(), static_cast<std::size_t>(check_batch)),
      check_gradient_(static_cast<std::size_t>(check_batch) * data.target.outputs()),
      order_(data.training.rows()),
      check_rows_(data.early_stop.rows()),
      best_(network.parameters().begin(), network.parameters().end()) {
  std::iota(check_rows_.begin(), check_rows_.end(), 0U);
}

bool Trainer::done() const {
  if (state_.epoch >= config_.epochs) return true;
  return config_.early_stop > 0 && state_.epoch - state_.best_epoch >= config_.early_stop;
}

void Trainer::shuffle_rows() {
  std::iota(order_.begin(), order_.end(), 0U);
  PhiloxStream random(generator_, static_cast<std::uint32_t>(state_.epoch), 0, random_use(RandomUse::shuffle));
  for (std::size_t left = order_.size(); left > 1; --left) {
    std::swap(order_[left - 1], order_[random.next_below(static_cast<std::uint32_t>(left))]);
  }
}

double Trainer::train_batch(std::span<const std::uint32_t> rows, std::uint32_t step_of_epoch, double& weight) {
  pass_.load(data_.training.examples(), rows);
  const std::span<const float> outputs = pass_.forward(static_cast<std::uint32_t>(state_.epoch), step_of_epoch);
  const BatchLoss::Sum sum = training_loss_(rows, outputs, pass_.output_gradient().first(outputs.size()));
  refuse_infinite(sum.loss, "loss");
  pass_.backward();
  adam_.step(network_.parameters(), network_.gradients(), learning_rate(schedule_, state_.step));
  weight = sum.weight;
  return sum.loss;
}

double Trainer::early_stop_loss(const std::function<void()>& beat) {
  double loss = 0, weight = 0;
  const auto largest = static_cast<std::size_t>(check_batch);
  for (std::size_t first = 0; first < check_rows_.size(); first += largest) {
    if (beat) beat();
    const auto rows = std::span<const std::uint32_t>(check_rows_).subspan(first, std::min(largest, check_rows_.size() - first));
    const std::span<const float> outputs = check_.forward(data_.early_stop.examples(), rows);
    const BatchLoss::Sum sum = check_loss_(rows, outputs, std::span(check_gradient_).first(outputs.size()));
    loss += sum.loss * sum.weight;
    weight += sum.weight;
  }
  if (!(weight > 0)) throw RepeatableError("engine " + name_ + ": no early-stop row has a class that training rows have");
  return loss / weight;
}

void Trainer::refuse_infinite(double loss, const char* which) const {
  if (std::isfinite(loss)) return;
  throw RepeatableError(fmt::format("engine {}: the {} is {} in epoch {}, step {}: lower lr, or set clip", name_, which, loss,
                                    state_.epoch + 1, state_.step + 1));
}

bool Trainer::run_epoch(const std::function<void(std::uint64_t)>& on_step, const std::function<bool()>& pause,
                        const std::function<void()>& beat) {
  const auto begin = std::chrono::steady_clock::now();
  shuffle_rows();
  bool paused = false;
  while (state_.position < order_.size() && !paused) {
    const std::size_t first = state_.position;
    const auto rows = std::span<const std::uint32_t>(order_).subspan(first, std::min(batch_, order_.size() - first));
    double weight = 0;
    state_.epoch_loss += train_batch(rows, static_cast<std::uint32_t>(first / batch_), weight) * weight;
    state_.epoch_weight += weight;
    ++state_.step;
    state_.samples += rows.size();
    state_.position += rows.size();
    if (on_step) on_step(state_.step);
    paused = pause && state_.position < order_.size() && pause();
  }
  if (!paused) finish_epoch(beat);
  state_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return !paused;
}

void Trainer::finish_epoch(const std::function<void()>& beat) {
  state_.training_loss = state_.epoch_loss / state_.epoch_weight;
  state_.early_stop_loss = early_stop_loss(beat);
  refuse_infinite(state_.early_stop_loss, "early-stop loss");
  ++state_.epoch;
  state_.position = 0;
  state_.epoch_loss = state_.epoch_weight = 0;
  if (state_.early_stop_loss >= state_.best_loss) return;
  state_.best_loss = state_.early_stop_loss;
  state_.best_epoch = state_.epoch;
  std::ranges::copy(network_.parameters(), best_.begin());
}

}  // namespace hiple::engine
