#include "engine/device_memory.hpp"

#include <fmt/format.h>

namespace hiple::engine {

std::string out_of_memory_text(const std::string& device, std::uint64_t wanted, std::uint64_t free, std::uint64_t all) {
  constexpr double mebibyte = 1 << 20;
  return fmt::format("{} is out of memory: {:.1f} MiB more were wanted, {:.0f} of its {:.0f} MiB are free", device,
                     static_cast<double>(wanted) / mebibyte, static_cast<double>(free) / mebibyte,
                     static_cast<double>(all) / mebibyte);
}

}  // namespace hiple::engine
