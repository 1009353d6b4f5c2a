#pragma once

#include <cstdint>

namespace hiple::engine {

/// What an engine's random numbers are for: the third word of Philox's counter. The network's own (kernels_dropout.hpp) start
/// at 65536.
enum class RandomUse : std::uint32_t { parts = 1, shuffle = 2 };

constexpr std::uint32_t random_use(RandomUse use) { return static_cast<std::uint32_t>(use); }

}  // namespace hiple::engine
