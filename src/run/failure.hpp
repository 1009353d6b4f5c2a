#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hiple {

/// Writes engines/E/FAILED: one line of JSON with the reason, whole or not at all.
void write_failure(const std::filesystem::path& path, const std::string& reason);

/// The reason, or nothing where the engine has not failed. A file that cannot be understood is a failure all the same.
std::optional<std::string> read_failure(const std::filesystem::path& path);

}  // namespace hiple
