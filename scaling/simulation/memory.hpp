#pragma once

#include <cstddef>

namespace hiple::simulation {

/// One piece of memory for all buffers of all ranks, shared as SMPI shares it, so that messages copy nothing: nobody reads what
/// is in it. Throws std::bad_alloc above most_bytes.
void* shared_memory(std::size_t bytes);

/// The largest buffer that there can be.
inline constexpr std::size_t most_bytes = std::size_t{1} << 29;

}  // namespace hiple::simulation
