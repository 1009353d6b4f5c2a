#pragma once

#include <string>
#include <vector>

#include "config/run_config.hpp"

namespace hiple::engine {

/// An engine's configuration as one line of JSON, with all that its model depends on; places are left out.
std::string to_json(const EngineConfig& config);

/// The reverse. Throws Error: no JSON, a key that is missing or has another type.
EngineConfig config_from_json(const std::string& text);

/// What differs between two configurations, "epochs: 6 and 7" each; empty where nothing does.
std::vector<std::string> differences(const EngineConfig& one, const EngineConfig& other);

}  // namespace hiple::engine
