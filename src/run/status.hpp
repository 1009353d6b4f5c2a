#pragma once

#include <string>

#include "base/error.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// How a run stands, read from its files, for people. Throws InputError where the directory holds no run.
struct RunState {
  std::string text;
  ExitStatus status = ExitStatus::done;  ///< of a run that has ended; done while it goes on
  bool goes_on = false;                  ///< as far as its files say: it has not ended, and was not interrupted
  bool is_held = false;                  ///< by a job that holds the whole of it, which tasks of an array do not
};
RunState read_run_state(const RunDirectory& directory);

}  // namespace hiple
