#pragma once

#include <string>

#include "config/yaml.hpp"

namespace hiple::audit {

/// A scalar as YAML reads it back, with its type: plain where that is safe inside a flow map too, else in double quotes.
std::string scalar_text(const yaml::Node& node);

/// The canonical text of the condition in a scalar. Throws InputError with its place.
std::string condition_text(const yaml::Node& node);

/// In single quotes.
std::string single_quoted(const std::string& text);

/// Any node in one line.
std::string flow_text(const yaml::Node& node);

}  // namespace hiple::audit
