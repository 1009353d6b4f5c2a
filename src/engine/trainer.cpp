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

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Schedule make_schedule(const TrainConfig& config, std::size_t rows, std::size_t batch) {
  const std::uint64_t steps = static_cast<std::uint64_t>(config.epochs) * ((rows + batch - 1) / batch);
  return {config.learning_rate, static_cast<std::uint64_t>(config.warmup),
          config.schedule == "cosine" ? Decay::cosine : Decay::constant, steps};
}

}  // namespace

Trainer::Trainer(const StepperSource& source, std::unique_ptr<Stepper> stepper)
    : name_(source.name),
      config_(source.config),
      generator_(source.generator),
      batch_(source.batch()),
      schedule_(make_schedule(source.config, source.data.training.rows(), batch_)),
      stepper_(std::move(stepper)),
      most_steps_(stepper_->most_steps()),
      plans_(most_steps_),
      order_(source.data.training.rows()),
      best_(source.network.parameters().begin(), source.network.parameters().end()) {}

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

void Trainer::refuse_infinite(double loss, const char* which) const {
  if (std::isfinite(loss)) return;
  throw RepeatableError(fmt::format("engine {}: the {} is {} in epoch {}, step {}: lower lr, or set clip", name_, which, loss,
                                    state_.epoch + 1, state_.step + 1));
}

std::span<const StepPlan> Trainer::plan_steps() {
  std::size_t count = 0, first = state_.position;
  for (; count < std::min(steps_at_once_, most_steps_) && first < order_.size(); ++count, first += batch_) {
    plans_[count] = {.first = first,
                     .rows = static_cast<std::uint32_t>(std::min(batch_, order_.size() - first)),
                     .epoch = static_cast<std::uint32_t>(state_.epoch),
                     .step_of_epoch = static_cast<std::uint32_t>(first / batch_),
                     .learning_rate = learning_rate(schedule_, state_.step + count)};
  }
  return {plans_.data(), count};
}

void Trainer::run_steps(const std::function<void(std::uint64_t)>& on_step) {
  // As many as take a hundredth of a second together: who watches sees them often enough, and waiting costs next to nothing.
  constexpr double enough = 0.01;
  const auto begin = Clock::now();
  const auto plans = plan_steps();
  stepper_->launch(plans);
  const auto sums = stepper_->finish();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    refuse_infinite(sums[i].loss, "loss");
    state_.epoch_loss += sums[i].loss * sums[i].weight;
    state_.epoch_weight += sums[i].weight;
    ++state_.step;
    state_.samples += plans[i].rows;
    state_.position += plans[i].rows;
    if (on_step) on_step(state_.step);
  }
  if (steps_at_once_ < most_steps_ && seconds_since(begin) < enough) steps_at_once_ *= 2;
}

bool Trainer::run_epoch(const std::function<void(std::uint64_t)>& on_step, const std::function<bool()>& pause,
                        const std::function<void()>& beat) {
  const auto begin = Clock::now();
  shuffle_rows();
  stepper_->begin_epoch(order_);
  bool paused = false;
  while (state_.position < order_.size() && !paused) {
    run_steps(on_step);
    paused = pause && state_.position < order_.size() && pause();
  }
  if (!paused) finish_epoch(beat);
  state_.seconds += seconds_since(begin);
  return !paused;
}

void Trainer::finish_epoch(const std::function<void()>& beat) {
  state_.training_loss = state_.epoch_loss / state_.epoch_weight;
  const BatchLoss::Sum sum = stepper_->early_stop_loss(beat);
  if (!(sum.weight > 0)) throw RepeatableError("engine " + name_ + ": no early-stop row has a class that training rows have");
  state_.early_stop_loss = sum.loss;
  refuse_infinite(state_.early_stop_loss, "early-stop loss");
  ++state_.epoch;
  state_.position = 0;
  state_.epoch_loss = state_.epoch_weight = 0;
  if (state_.early_stop_loss >= state_.best_loss) return;
  state_.best_loss = state_.early_stop_loss;
  state_.best_epoch = state_.epoch;
  stepper_->read_parameters(best_);
}

}  // namespace hiple::engine
