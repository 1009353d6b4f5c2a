#pragma once

#include <cstdint>
#include <string>

namespace hiple::engine {

/// What is said where a device has no room: what was wanted, and what was free.
std::string out_of_memory_text(const std::string& device, std::uint64_t wanted, std::uint64_t free, std::uint64_t all);

}  // namespace hiple::engine
