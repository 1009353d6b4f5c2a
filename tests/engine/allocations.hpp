#pragma once

#include <cstdint>

namespace hiple::engine {

/// How often operator new was called in this program.
std::uint64_t allocation_count();

}  // namespace hiple::engine
