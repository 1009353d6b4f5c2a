#include "engine/kernels_dropout.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels_dropout.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::engine::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t group = 128, blocks = 16;

template <class Vector>
struct WideProduct {
  Vector low, high;
};

// The full product of unsigned 32-bit lanes.
template <class D, class Vector = hn::Vec<D>>
HWY_INLINE WideProduct<Vector> multiply(D d, Vector a, Vector b) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t product = std::uint64_t{hn::GetLane(a)} * hn::GetLane(b);
  return {hn::Set(d, static_cast<std::uint32_t>(product)), hn::Set(d, static_cast<std::uint32_t>(product >> 32))};
#else
  const hn::RepartitionToWide<D> wide;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, a))), b);
  const auto low = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
  const auto high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
  return {low, high};
#endif
}

// 128 factors from 16 Philox blocks, as many side by side as a vector has lanes.
void fill_group(Philox::Key key, const std::uint32_t* counter, std::uint32_t first_block, std::uint32_t threshold, float scale,
                float* HWY_RESTRICT factors) {
  const hn::CappedTag<std::uint32_t, blocks> d;
  const hn::RebindToFloat<decltype(d)> real;
  const auto multiplier0 = hn::Set(d, 0xD2511F53U), multiplier1 = hn::Set(d, 0xCD9E8D57U);
  const auto bound = hn::Set(d, threshold), low_half = hn::Set(d, 0xFFFFU);
  const auto factor = hn::BitCast(d, hn::Set(real, scale));
  for (std::size_t lane = 0; lane < blocks; lane += hn::Lanes(d)) {
    auto word0 = hn::Set(d, counter[0]), word1 = hn::Set(d, counter[1]), word2 = hn::Set(d, counter[2]);
    auto word3 = hn::Iota(d, first_block + static_cast<std::uint32_t>(lane));
    std::uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; ++round, key0 += 0x9E3779B9U, key1 += 0xBB67AE85U) {
      const auto product0 = multiply(d, word0, multiplier0), product1 = multiply(d, word2, multiplier1);
      word0 = hn::Xor(hn::Xor(product1.high, word1), hn::Set(d, key0));
      word2 = hn::Xor(hn::Xor(product0.high, word3), hn::Set(d, key1));
      word1 = product1.low;
      word3 = product0.low;
    }
    const auto store = [&](auto word, std::size_t index) HWY_ATTR {
      // Signed comparison is what every instruction set has; half words are small enough for it.
      const hn::RebindToSigned<decltype(d)> whole;
      const auto dropped = [&](auto half) HWY_ATTR { return hn::Lt(hn::BitCast(whole, half), hn::BitCast(whole, bound)); };
      const auto value = hn::BitCast(whole, factor);
      const auto first = hn::IfThenZeroElse(dropped(hn::And(word, low_half)), value);
      const auto second = hn::IfThenZeroElse(dropped(hn::ShiftRight<16>(word)), value);
      hn::StoreU(hn::BitCast(real, first), real, factors + 2 * index * blocks + lane);
      hn::StoreU(hn::BitCast(real, second), real, factors + (2 * index + 1) * blocks + lane);
    };
    store(word0, 0);
    store(word1, 1);
    store(word2, 2);
    store(word3, 3);
  }
}

void fill_all(Philox::Key key, const std::uint32_t* counter, std::uint32_t threshold, float scale, float* factors,
              std::size_t count) {
  std::uint32_t block = 0;
  std::size_t i = 0;
  for (; i + group <= count; i += group, block += blocks) fill_group(key, counter, block, threshold, scale, factors + i);
  if (i < count) {
    float rest[group];
    fill_group(key, counter, block, threshold, scale, rest);
    std::copy_n(rest, count - i, factors + i);
  }
}

}  // namespace hiple::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::engine {

HWY_EXPORT(fill_all);

void Dropout::fill(Philox::Key key, std::uint32_t epoch, std::uint32_t step, std::uint32_t use, float* factors,
                   std::size_t count) const {
  const std::uint32_t counter[] = {epoch, step, use};
  HWY_DYNAMIC_DISPATCH(fill_all)(key, counter, threshold_, scale(), factors, count);
}

}  // namespace hiple::engine
#endif
