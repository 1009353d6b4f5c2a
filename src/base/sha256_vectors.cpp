#include <bit>
#include <cstring>

#include "base/sha256_compress.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/sha256_vectors.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::sha256_compress::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t most_lanes = 16;
using D = hn::CappedTag<std::uint32_t, most_lanes>;
using V = hn::Vec<D>;

template <int a, int b, int c>
HWY_INLINE V rotations(V x) {
  return hn::Xor3(hn::RotateRight<a>(x), hn::RotateRight<b>(x), hn::RotateRight<c>(x));
}

/// As rotations(), the last only shifted.
template <int a, int b, int c>
HWY_INLINE V shifts(V x) {
  return hn::Xor3(hn::RotateRight<a>(x), hn::RotateRight<b>(x), hn::ShiftRight<c>(x));
}

/// Sixteen words of each lane's block; lanes beyond the last stream repeat the first.
HWY_INLINE void load_block(D d, std::span<const Lane> lanes, std::size_t at, std::uint32_t (*words)[most_lanes]) {
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    const std::byte* block = lanes[i < lanes.size() ? i : 0].data + at;
    for (std::size_t k = 0; k < 16; ++k) {
      std::uint32_t word = 0;
      std::memcpy(&word, block + 4 * k, sizeof word);
      words[k][i] = std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
    }
  }
}

HWY_INLINE void add_to(D d, std::uint32_t* sum, V more) { hn::Store(hn::Add(hn::Load(d, sum), more), d, sum); }

void compress(std::span<const Lane> lanes, std::size_t blocks) {
  const D lane_words;
  HWY_ALIGN std::uint32_t state[8][most_lanes] = {};
  HWY_ALIGN std::uint32_t words[16][most_lanes];
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t i = 0; i < lanes.size(); ++i) state[k][i] = lanes[i].state[k];
  const auto word = [&](std::size_t number) HWY_ATTR { return hn::Load(lane_words, words[number % 16]); };
  for (std::size_t block = 0; block < blocks; ++block) {
    load_block(lane_words, lanes, 64 * block, words);
    V a = hn::Load(lane_words, state[0]), b = hn::Load(lane_words, state[1]), c = hn::Load(lane_words, state[2]),
      d = hn::Load(lane_words, state[3]), e = hn::Load(lane_words, state[4]), f = hn::Load(lane_words, state[5]),
      g = hn::Load(lane_words, state[6]), h = hn::Load(lane_words, state[7]);
    for (std::size_t round = 0; round < 64; ++round) {
      if (round >= 16) {
        const V sum = hn::Add(hn::Add(word(round), shifts<7, 18, 3>(word(round + 1))),
                              hn::Add(word(round + 9), shifts<17, 19, 10>(word(round + 14))));
        hn::Store(sum, lane_words, words[round % 16]);
      }
      const V choice = hn::Xor(g, hn::And(e, hn::Xor(f, g)));
      const V majority = hn::Or(hn::And(a, b), hn::And(c, hn::Or(a, b)));
      const V added = hn::Add(hn::Set(lane_words, constants[round]), word(round));
      const V one = hn::Add(hn::Add(hn::Add(h, rotations<6, 11, 25>(e)), choice), added);
      const V two = hn::Add(rotations<2, 13, 22>(a), majority);
      h = g;
      g = f;
      f = e;
      e = hn::Add(d, one);
      d = c;
      c = b;
      b = a;
      a = hn::Add(one, two);
    }
    add_to(lane_words, state[0], a);
    add_to(lane_words, state[1], b);
    add_to(lane_words, state[2], c);
    add_to(lane_words, state[3], d);
    add_to(lane_words, state[4], e);
    add_to(lane_words, state[5], f);
    add_to(lane_words, state[6], g);
    add_to(lane_words, state[7], h);
  }
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].state[k] = state[k][i];
}

std::size_t lanes() { return hn::Lanes(D()); }

}  // namespace hiple::sha256_compress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::sha256_compress {

HWY_EXPORT(compress);
HWY_EXPORT(lanes);

Way by_vectors() {
  return {"vectors", HWY_DYNAMIC_DISPATCH(lanes)(), [](std::span<const Lane> all, std::size_t blocks) {
            HWY_DYNAMIC_DISPATCH(compress)(all, blocks);
          }};
}

}  // namespace hiple::sha256_compress
#endif  // HWY_ONCE
