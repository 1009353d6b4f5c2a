#pragma once

#include <filesystem>

#include "evidence/store.hpp"

namespace hiple::evidence {

/// Throws InputError, with the path, where a record is not what its entry's hash was made from, or belongs to no entry.
void check_hashes(const std::filesystem::path& path, const Store& store);

}  // namespace hiple::evidence
