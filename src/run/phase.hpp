#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace hiple {

/// What a process is doing; the ledger counts by phase. `program`: all that a program which is not ours does between MPI_Init and
/// MPI_Finalize.
enum class Phase : unsigned { init, train, judge, write, notify, wait, integrate, program, finalize };

inline constexpr std::array<std::string_view, 9> phase_names = {"init", "train",     "judge",   "write",   "notify",
                                                                "wait", "integrate", "program", "finalize"};

/// Told when a process goes from one phase into another, and with which engine; "" where it is none. May be empty.
using PhaseObserver = std::function<void(Phase, const std::string& engine)>;

inline void enter(const PhaseObserver& observer, Phase phase, const std::string& engine = {}) {
  if (observer) observer(phase, engine);
}

}  // namespace hiple
