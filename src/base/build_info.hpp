#pragma once

#include <string>

namespace hiple {

/// What this program was built from and by.
struct BuildInfo {
  std::string version;   ///< "0.1.0"
  std::string revision;  ///< git revision, "+changed" with local edits, "unknown" outside a checkout
  std::string compiler;
  std::string build_type;
  std::string flags;
};

const BuildInfo& build_info();

/// "hiple 0.1.0 (revision)": the attribute `software` of every file.
std::string software();

}  // namespace hiple
