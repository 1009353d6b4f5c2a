#pragma once

#include <filesystem>
#include <string>

namespace hiple {

/// Writes build.json: version, revision, compiler, flags, libraries, host, processor and devices.
void write_build_record(const std::filesystem::path& path);

/// The same in a few lines for `--version`.
std::string features_text();

}  // namespace hiple
