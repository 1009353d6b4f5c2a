#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace hiple::data {

inline constexpr const char* no_real_data =
    "*** The real data sets are not here: set HIPLE_DATA_DIR, or put them into ../shared/data beside the project. ***";

/// A file of the real data sets, or nothing where they are not on this machine.
inline std::optional<std::filesystem::path> real_data(const std::string& name) {
  const char* folder = std::getenv("HIPLE_DATA_DIR");
  const bool set = folder != nullptr && *folder != '\0';
  const auto path =
      (set ? std::filesystem::path(folder) : std::filesystem::path(HIPLE_SOURCE_DIR) / ".." / "shared" / "data") / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace hiple::data
