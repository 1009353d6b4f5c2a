#pragma once

#include <functional>
#include <optional>
#include <string>

namespace hiple {

/// A variable's value, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

/// This process's own.
Environment process_environment();

}  // namespace hiple
