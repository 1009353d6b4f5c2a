#pragma once

#include "base/error.hpp"
#include "config/run_config.hpp"
#include "config/yaml.hpp"

namespace hiple {

/// One entry of `engines` in run.yaml, with its defaults; problems are added at their places.
EngineConfig read_engine(const yaml::Node& node, Problems& problems);

/// The value of "model" of `what`, an engine; changes `type` where it names one.
ModelConfig read_model(const yaml::Node& node, const std::string& what, std::string& type, Problems& problems);

/// The keys of an engine with `type: command`.
CommandConfig read_command(yaml::MapReader& map, Problems& problems);

}  // namespace hiple
