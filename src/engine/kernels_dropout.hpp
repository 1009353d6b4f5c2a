#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/philox.hpp"

namespace hiple::engine {

/// Third word of the counter (`use`) of the streams that the network draws from; a layer's index in the layout is added. Smaller
/// numbers are free for other uses.
inline constexpr std::uint32_t dropout_use = 0x10000;
inline constexpr std::uint32_t initial_use = 0x20000;

/// Dropout with a probability in steps of 1/65536, so that half a random word decides about a unit.
class Dropout {
 public:
  explicit Dropout(double probability) : threshold_(static_cast<std::uint32_t>(std::lround(probability * 65536.0))) {}

  /// Of 65536: a unit whose bits are under it is dropped.
  [[nodiscard]] std::uint32_t threshold() const { return threshold_; }
  [[nodiscard]] bool active() const { return threshold_ > 0; }
  /// What a kept unit is multiplied by: 1 / (1 - probability).
  [[nodiscard]] float scale() const { return static_cast<float>(65536.0 / (65536.0 - threshold_)); }

  /// Fills `factors` with 0 or scale(). Number i is decided by 16 bits of the Philox block with counter (epoch, step, use,
  /// 16 * (i / 128) + i % 16), of which i / 16 % 8 chooses the half word (word i / 32 % 4, low half first): a pure function
  /// of key, counter and i, in an order that fits vectors of 4, 8 and 16 numbers.
  void fill(Philox::Key key, std::uint32_t epoch, std::uint32_t step, std::uint32_t use, float* factors, std::size_t count) const;

 private:
  std::uint32_t threshold_;
};

}  // namespace hiple::engine
