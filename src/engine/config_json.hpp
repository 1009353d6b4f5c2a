#pragma once

#include <string>

#include "config/run_config.hpp"

namespace hiple::engine {

/// An engine's configuration as one line of JSON, with all that its model depends on; places are left out.
std::string to_json(const EngineConfig& config);

/// The reverse. Throws Error: no JSON, a key that is missing or has another type.
EngineConfig config_from_json(const std::string& text);

}  // namespace hiple::engine
