#pragma once

#include "base/error.hpp"
#include "config/run_config.hpp"
#include "config/yaml.hpp"

namespace hiple {

/// One entry of `engines` in run.yaml, with its defaults; problems are added at their places.
EngineConfig read_engine(const yaml::Node& node, Problems& problems);

/// The keys of an engine with `type: command`.
CommandConfig read_command(yaml::MapReader& map, Problems& problems);

}  // namespace hiple
