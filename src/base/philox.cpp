#include "base/philox.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/philox_block.hpp"

namespace hiple {

Philox::Philox(std::uint64_t seed, std::string_view name) : key_{} {
  const std::string digest = Sha256().update_number(seed).update_text(name).digest();
  for (std::size_t i = 0; i < key_.size(); ++i) {
    key_[i] = static_cast<std::uint32_t>(std::stoul(digest.substr(8 * i, 8), nullptr, 16));
  }
}

Philox::Counter Philox::block(Counter counter) const {
  const PhiloxWords words = philox_block(key_[0], key_[1], {{counter[0], counter[1], counter[2], counter[3]}});
  return {words.word[0], words.word[1], words.word[2], words.word[3]};
}

std::uint32_t PhiloxStream::next_bits() {
  if (used_ == block_.size()) {
    block_ = generator_.block(counter_);
    ++counter_[3];
    if (counter_[3] == 0) throw Error("a random stream is used up (2^34 numbers)");
    used_ = 0;
  }
  return block_[used_++];
}

double PhiloxStream::next_uniform() {
  const std::uint64_t high = next_bits();
  const std::uint64_t bits = (high << 21) ^ (next_bits() >> 11);
  return static_cast<double>(bits & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

double PhiloxStream::next_normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - next_uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * next_uniform());
}

std::uint32_t PhiloxStream::next_below(std::uint32_t bound) {
  if (bound == 0) throw Error("a random number below 0 was asked for");
  const std::uint32_t threshold = (0U - bound) % bound;
  while (true) {
    const std::uint64_t product = std::uint64_t{next_bits()} * bound;
    if (static_cast<std::uint32_t>(product) >= threshold) return static_cast<std::uint32_t>(product >> 32);
  }
}

}  // namespace hiple
