#pragma once

#include "base/error.hpp"
#include "config/run_config.hpp"

namespace hiple {

/// Looks up what the run's commands name: the program of each, by its path or in PATH, and the files among its words, with their
/// SHA-256. A program that is not there, or may not be executed, is a problem at its place. The program counts as such a file
/// where it is named by a path; what stands in PATH is the system's, as our own libraries are.
void look_up_commands(RunConfig& config, Problems& problems);

/// Throws InputError at each engine that is a command: for those who run what somebody else has written.
void refuse_commands(const RunConfig& config);

}  // namespace hiple
