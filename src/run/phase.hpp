#pragma once

#include <array>
#include <functional>
#include <string_view>

namespace hiple {

/// What a process is doing; the ledger counts by phase.
enum class Phase : unsigned { init, train, judge, write, notify, wait, integrate, finalize };

inline constexpr std::array<std::string_view, 8> phase_names = {"init",   "train", "judge",     "write",
                                                                "notify", "wait",  "integrate", "finalize"};

/// Told when a process goes from one phase into another; may be empty.
using PhaseObserver = std::function<void(Phase)>;

inline void enter(const PhaseObserver& observer, Phase phase) {
  if (observer) observer(phase);
}

}  // namespace hiple
