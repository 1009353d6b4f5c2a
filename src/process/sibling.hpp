#pragma once

#include <filesystem>
#include <string>

namespace hiple::process {

/// A program in the folder of this process's own one.
std::filesystem::path sibling(const std::string& name);

}  // namespace hiple::process
