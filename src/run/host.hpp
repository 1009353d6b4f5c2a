#pragma once

#include <string>

namespace hiple {

std::string host_name();

/// The processor's model name, or "unknown".
std::string processor_name();

}  // namespace hiple
