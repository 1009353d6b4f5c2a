#pragma once

#include <optional>
#include <string>

#include "run/check_data.hpp"
#include "run/prepare.hpp"

namespace hiple {

/// What `hiple check` prints: engines with what they read and learn, parameters and memory, and the rank that would train each.
std::string check_text(const PreparedRun& run, int ranks);

/// The same for programs: name, output, number of engines, and one object an engine; under `data` what all data say, if it is
/// given.
std::string check_json(const PreparedRun& run, int ranks, const std::optional<DataCheck>& data);

}  // namespace hiple
