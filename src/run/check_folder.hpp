#pragma once

#include <cstdint>
#include <filesystem>

#include "config/run_config.hpp"

namespace hiple {

/// The folder itself, or the nearest above it that exists, absolute.
std::filesystem::path nearest_folder(const std::filesystem::path& path);

/// What the file system under a run's directory offers.
struct FolderCheck {
  std::filesystem::path folder;  ///< that was tried: the directory, or the nearest above it that exists
  std::uint64_t free_bytes = 0;  ///< that this user may take
};

/// Tries in the nearest folder that exists what a run does with files (writing, making durable, linking, renaming, and, unless
/// run.yaml says `file_locks: none`, locking), in a folder that is gone afterwards. Throws InputError with all that does not
/// work, and where fewer than `needed` bytes are free.
FolderCheck check_folder(const RunConfig& config, std::uint64_t needed);

}  // namespace hiple
