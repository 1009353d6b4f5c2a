#pragma once

#include <string>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// What an engine would take here, from a training that was begun and given up.
struct EngineTime {
  std::string engine;
  double reading = 0;       ///< seconds for its columns of the table
  double step = 0;          ///< seconds of one step; NaN for a command, which nobody knows
  double training = 0;      ///< seconds for all of its epochs; early stopping may end it before; NaN for a command
  std::uint64_t steps = 0;  ///< in all of its epochs
};

/// Trains each engine on its own rows for about `seconds` of time, one after the other, on one thread of the processor, and
/// leaves nothing behind. Throws InputError for a table that cannot be read and an engine that could not be trained.
std::vector<EngineTime> measure_times(const PreparedRun& run, double seconds);

}  // namespace hiple
