#pragma once

#include <cstdint>

#include "base/on_both.hpp"

namespace hiple {

struct PhiloxWords {
  std::uint32_t word[4];
};

/// Philox4x32-10 itself (see base/philox.hpp).
HIPLE_ON_BOTH inline PhiloxWords philox_block(std::uint32_t key0, std::uint32_t key1, PhiloxWords counter) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier0 * counter.word[0], product1 = multiplier1 * counter.word[2];
    counter = {{static_cast<std::uint32_t>(product1 >> 32U) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1),
                static_cast<std::uint32_t>(product0 >> 32U) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += weyl0;
    key1 += weyl1;
  }
  return counter;
}

}  // namespace hiple
