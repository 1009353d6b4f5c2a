#pragma once

#include <cstdint>

namespace hiple {

/// How often operator new was called in this program, which links allocations.cpp.
std::uint64_t allocation_count();

}  // namespace hiple
