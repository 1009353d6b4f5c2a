#include "scaling/measure/stretch.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

namespace hiple::scaling {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A sleep takes some 60 microseconds longer than asked for.
constexpr double shortest_sleep = 200e-6;

class TimedCompute : public Compute {
 public:
  TimedCompute(std::unique_ptr<Compute> inner, ComputeClock& clock) : inner_(std::move(inner)), clock_(clock) {}

  [[nodiscard]] std::span<const Range> layers() const override { return inner_->layers(); }
  std::span<float> parameters() override { return inner_->parameters(); }
  std::span<float> gradients() override { return inner_->gradients(); }
  void start() override { inner_->start(); }
  [[nodiscard]] Held held() const override { return inner_->held(); }

  double forward(std::uint64_t step) override {
    const ComputeClock::Piece piece(clock_);
    return inner_->forward(step);
  }

  void backward(const CompleteHook& complete_from) override {
    begin_ = Clock::now();
    if (complete_from) {
      hook_ = &complete_from;
      inner_->backward([this](std::size_t begin) {
        clock_.ran(since(begin_));
        (*hook_)(begin);
        begin_ = Clock::now();
      });
    } else {
      inner_->backward({});
    }
    clock_.ran(since(begin_));
  }

  void update() override {
    const ComputeClock::Piece piece(clock_);
    inner_->update();
  }

 private:
  std::unique_ptr<Compute> inner_;
  ComputeClock& clock_;
  Clock::time_point begin_;
  const CompleteHook* hook_ = nullptr;  // a member, so that the closure above is small enough not to be allocated
};

}  // namespace

Stretch::Stretch(std::uint64_t seed, int rank, double factor, double jitter)
    : generator_(seed, "jitter/" + std::to_string(rank)), factor_(factor), jitter_(jitter) {}

double Stretch::of_step(std::uint64_t step) const {
  if (jitter_ <= 0) return factor_;
  PhiloxStream stream(generator_, static_cast<std::uint32_t>(step >> 32), static_cast<std::uint32_t>(step), 0);
  return factor_ * (1.0 - jitter_ * std::log(1.0 - stream.next_uniform()));
}

void ComputeClock::begin_step(std::uint64_t step) {
  factor_ = stretch_.of_step(step);
  seconds_ = 0;
}

void ComputeClock::ran(double seconds) {
  seconds_ += seconds;
  owed_ += seconds * (factor_ - 1.0);
  if (owed_ >= shortest_sleep) sleep();
}

double ComputeClock::end_step() {
  if (owed_ >= shortest_sleep / 2) sleep();
  return seconds_;
}

void ComputeClock::sleep() {
  const Clock::time_point start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(owed_));
  const double slept = since(start);
  seconds_ += slept;
  owed_ -= slept;  // a sleep that was too long shortens the next
}

std::unique_ptr<Compute> timed(std::unique_ptr<Compute> compute, ComputeClock& clock) {
  return std::make_unique<TimedCompute>(std::move(compute), clock);
}

}  // namespace hiple::scaling
