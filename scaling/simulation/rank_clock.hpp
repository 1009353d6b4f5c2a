#pragma once

#include <cstddef>

namespace hiple::simulation {

/// The computing of one simulated rank. It is owed to the simulator until the rank says something, so that a thousand short
/// pieces are one event; what a straggler or jitter adds is in it.
class RankClock {
 public:
  /// Of the step that begins: how many times as long its computing takes.
  void stretch(double factor) { factor_ = factor; }
  void ran(double seconds) {
    owed_ += seconds * factor_;
    computed_ += seconds * factor_;
  }
  /// Lets the simulated time pass.
  void settle();
  /// Seconds of computing since the last call of this.
  double take_computed();

 private:
  double factor_ = 1, owed_ = 0, computed_ = 0;
};

/// What one simulated rank has, beside its own stack: all ranks live in one process and share its globals.
struct RankState {
  RankClock clock;
  int next_tag = 1;             ///< of operations: the same on all ranks, which start them in the same order
  double looked = -1;           ///< simulated time of the last look that found nothing done
  unsigned long long sent = 0;  ///< bytes
  unsigned long long messages = 0;
};

/// Of the rank that calls this.
RankState& this_rank();
/// For so many ranks; before any of them asks.
void make_ranks(std::size_t count);

}  // namespace hiple::simulation
