#pragma once

#include <string>

#include "base/error.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// How a run stands, read from its files, for people. Throws InputError where the directory holds no run.
struct RunState {
  std::string text;
  ExitStatus status = ExitStatus::done;  ///< of a run that has ended; done while it goes on
};
RunState read_run_state(const RunDirectory& directory);

}  // namespace hiple
