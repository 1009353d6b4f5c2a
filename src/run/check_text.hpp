#pragma once

#include <string>

#include "run/prepare.hpp"

namespace hiple {

/// What `hiple check` prints: engines with what they read and learn, parameters and memory, and the rank that would train each.
std::string check_text(const PreparedRun& run, int ranks);

/// The same for programs: name, output, number of engines, and one object an engine.
std::string check_json(const PreparedRun& run, int ranks);

}  // namespace hiple
