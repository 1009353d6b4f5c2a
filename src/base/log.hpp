#pragma once

#include <spdlog/spdlog.h>

#include <filesystem>
#include <string>

namespace hiple {

/// Sets the process's log: one line an event on standard error, with the time and `who` ("rank 3", "integrator").
/// `verbose` adds debug lines.
void start_log(const std::string& who, bool verbose = false);

}  // namespace hiple
