#include <cstddef>
#include <cstdint>
#include <string_view>

#include "targets.hpp"

/// What libFuzzer calls. The build says which target this program feeds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hiple::fuzz::HIPLE_FUZZ_FEED({reinterpret_cast<const char*>(data), size});
  return 0;
}
