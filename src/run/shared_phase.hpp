#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "run/phase.hpp"

namespace hiple {

/// The phase of a process that trains several engines side by side, each in a place: it trains as long as one of them does, and
/// judges as long as one does and none trains. The engine that is told is the one of that phase; where several are in it, their
/// names, in the order of the places, with commas.
class SharedPhase {
 public:
  /// `observer` is told when the phase of the process or its engines change, one call at a time.
  SharedPhase(PhaseObserver observer, std::size_t places);

  /// For the work in one place. Valid as long as this.
  [[nodiscard]] PhaseObserver of_place(std::size_t place);
  /// Nothing will be done there any more.
  void leave(std::size_t place);

 private:
  struct State {
    Phase phase;
    std::string engine;
    bool operator==(const State&) const = default;
  };
  void set(std::size_t place, std::optional<State> state);

  PhaseObserver observer_;
  std::mutex mutex_;
  std::vector<std::optional<State>> places_;
  std::optional<State> told_;
};

}  // namespace hiple
