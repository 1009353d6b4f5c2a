#pragma once

#include "base/error.hpp"
#include "config/run_config.hpp"

namespace hiple {

/// That every file which run.yaml names is there and is a regular file, because it is read more than once. A problem stands at
/// the place in run.yaml that names the file.
void check_files(const RunConfig& config, Problems& problems);

}  // namespace hiple
