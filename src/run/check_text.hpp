#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/check_data.hpp"
#include "run/check_folder.hpp"
#include "run/measure_time.hpp"
#include "run/prepare.hpp"
#include "run/run_size.hpp"

namespace hiple {

/// What `hiple check` has found; what was not asked for is not there.
struct CheckResult {
  int ranks = 1;       ///< of the plan that is shown
  int processors = 1;  ///< that this process may run on
  RunSize size;
  FolderCheck folder;
  std::optional<DataCheck> data;
  std::vector<EngineTime> times;
};

/// What `hiple check` prints: engines with what they read and learn, parameters and memory, and the rank that would train each;
/// and all that was found.
std::string check_text(const PreparedRun& run, const CheckResult& result);

/// The same for programs: name, output, number of engines, memory and disk in bytes, and one object an engine; under `data` what
/// all data say, under `seconds` what was measured.
std::string check_json(const PreparedRun& run, const CheckResult& result);

}  // namespace hiple
