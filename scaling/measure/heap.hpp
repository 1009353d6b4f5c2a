#pragma once

#include <cstdint>

namespace hiple::scaling {

/// Bytes that the C library's allocator has given out and not got back, large blocks with the pages they fill up. 0 where
/// another allocator has taken its place.
std::uint64_t heap_bytes();

}  // namespace hiple::scaling
