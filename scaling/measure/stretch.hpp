#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "base/philox.hpp"
#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// How much longer a rank's computing takes than it would: a straggler's factor, and jitter that differs from step to step.
class Stretch {
 public:
  /// `jitter`: mean of an exponential distribution, as a share of the computing time.
  Stretch(std::uint64_t seed, int rank, double factor, double jitter);

  /// factor * (1 + jitter * x), x exponential with mean 1: a pure function of (seed, rank, step).
  [[nodiscard]] double of_step(std::uint64_t step) const;

 private:
  Philox generator_;
  double factor_, jitter_;
};

/// The computing time of one rank, and its stretching: after a piece of computing the rank sleeps, so that a slow rank takes
/// longer and leaves its core to others meanwhile.
class ComputeClock {
 public:
  explicit ComputeClock(const Stretch& stretch) : stretch_(stretch) {}

  void begin_step(std::uint64_t step);
  /// Notes `seconds` of computing and sleeps for what they are stretched by; short sleeps are put off until they add up.
  void ran(double seconds);
  /// Sleeps for what is left, where it is 0.1 ms or more; returns the step's computing time with the sleep.
  double end_step();

  /// A piece of computing, from here to the end of the scope.
  class Piece {
   public:
    explicit Piece(ComputeClock& clock) : clock_(clock) {}
    ~Piece() { clock_.ran(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count()); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    ComputeClock& clock_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

 private:
  void sleep();

  Stretch stretch_;
  double factor_ = 1, seconds_ = 0, owed_ = 0;
};

/// `compute` with its time noted in `clock`, which outlives it. Time inside the hook of backward() is not computing.
std::unique_ptr<Compute> timed(std::unique_ptr<Compute> compute, ComputeClock& clock);

}  // namespace hiple::scaling
