#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hiple {

/// Philox4x32-10, a counter-based random number generator: block(counter) is a pure function of key and counter, so a
/// stream can be entered anywhere and nothing depends on what else runs (Salmon et al., "Parallel random numbers: as easy
/// as 1, 2, 3", SC 2011).
class Philox {
 public:
  using Counter = std::array<std::uint32_t, 4>;
  using Key = std::array<std::uint32_t, 2>;

  explicit Philox(Key key) : key_(key) {}
  /// The key of a named stream: the first eight bytes of SHA-256 over seed and name.
  Philox(std::uint64_t seed, std::string_view name);

  /// Four words of 32 random bits.
  [[nodiscard]] Counter block(Counter counter) const;
  [[nodiscard]] Key key() const { return key_; }

 private:
  Key key_;
};

/// A sequence of numbers from one counter prefix (epoch, step, use): the fourth word of the counter runs.
class PhiloxStream {
 public:
  PhiloxStream(const Philox& generator, std::uint32_t epoch, std::uint32_t step, std::uint32_t use)
      : generator_(generator), counter_{epoch, step, use, 0} {}

  std::uint32_t next_bits();
  /// Uniform in [0, 1), 53 bits.
  double next_uniform();
  /// Standard normal, by Box and Muller.
  double next_normal();
  /// Uniform in 0 .. bound-1 without bias (Lemire, "Fast random integer generation in an interval", 2019).
  std::uint32_t next_below(std::uint32_t bound);

 private:
  Philox generator_;
  Philox::Counter counter_;
  Philox::Counter block_{};
  unsigned used_ = 4;
};

}  // namespace hiple
