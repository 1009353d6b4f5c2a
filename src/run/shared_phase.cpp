#include "run/shared_phase.hpp"

#include <algorithm>
#include <utility>

namespace hiple {

SharedPhase::SharedPhase(PhaseObserver observer, std::size_t places) : observer_(std::move(observer)), places_(places) {}

PhaseObserver SharedPhase::of_place(std::size_t place) {
  if (!observer_) return {};
  return [this, place](Phase phase, const std::string& engine) { set(place, State{phase, engine}); };
}

void SharedPhase::leave(std::size_t place) { set(place, std::nullopt); }

void SharedPhase::set(std::size_t place, std::optional<State> state) {
  const std::lock_guard lock(mutex_);
  places_.at(place) = std::move(state);
  std::optional<State> common;
  for (const auto& one : places_) {
    if (!one) continue;
    if (!common || one->phase < common->phase) {  // phases stand in the order of an engine's life
      common = one;
    } else if (one->phase == common->phase && !one->engine.empty()) {
      common->engine += (common->engine.empty() ? "" : ", ") + one->engine;
    }
  }
  if (!common || common == told_) return;  // when all have left, whoever had them at work says what comes next
  told_ = common;
  enter(observer_, common->phase, common->engine);
}

}  // namespace hiple
