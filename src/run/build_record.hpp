#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/settled.hpp"

namespace hiple {

/// Writes build.json: version, revision, compiler, flags, libraries, host, processor and devices, and what was settled at each
/// start of the run.
void write_build_record(const std::filesystem::path& path, const std::vector<Settled>& settled);

/// The same in a few lines for `--version`.
std::string features_text();

}  // namespace hiple
