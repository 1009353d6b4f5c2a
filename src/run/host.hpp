#pragma once

#include <string>

namespace hiple {

std::string host_name();

/// Where this process runs and what it was given, for a log: "host node2, process 71, Slurm job 12.0, visible devices 1".
std::string placement_text();

/// The processor's model name, or "unknown".
std::string processor_name();

}  // namespace hiple
