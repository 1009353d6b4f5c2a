#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// What the table of a run with what joins has that the run did not learn from.
struct NewerTable {
  std::uint64_t learned = 0;    ///< rows outside the training part that the retrained engine learns from
  bool labels_changed = false;  ///< the retrained engine's target has other cells than when it was trained: labels came in since
};

/// Throws InputError where the table of `run` does not have the cases that were decided, all of them and no others; and of the
/// engine that is trained again, if there is one (`retrain`), where a column that it read as an input has other cells than it
/// learned from (it names the first such case, if the run's own table still tells), and what division_for() refuses. `held`: the
/// configuration of the run; `directory`: its own.
NewerTable check_newer_table(const PreparedRun& run, const RunConfig& held, const RunDirectory& directory,
                             const std::vector<std::uint64_t>& decided, const std::string& retrain);

}  // namespace hiple
