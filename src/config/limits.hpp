#pragma once

#include <cstddef>
#include <cstdint>

/// How large a model and its training may be, wherever they are read from.
namespace hiple::limits {

inline constexpr std::size_t layers = 64;  ///< hidden ones, and convolutions
inline constexpr std::int64_t width = 65536;
inline constexpr std::int64_t channels = 65536;
inline constexpr std::int64_t kernel = 1'000'000;  ///< and stride
inline constexpr std::int64_t embedding = 1024;
inline constexpr double dropout = 0.99;
inline constexpr std::int64_t epochs = 1'000'000;
inline constexpr std::int32_t threads = 1024;  ///< of one engine

}  // namespace hiple::limits
