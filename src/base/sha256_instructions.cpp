#include "base/sha256_compress.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace hiple::sha256_compress {

#if defined(__x86_64__)

namespace {

#define HIPLE_SHA __attribute__((target("sha,sse4.1"), always_inline)) inline

bool is_there() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned sha = 1U << 29, sse41 = 1U << 19;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & sha) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & sse41) != 0;
}

/// One stream in registers. The instructions want the state as words A B E F and C D G H, from the highest.
struct Stream {
  __m128i abef, cdgh, abef_before, cdgh_before, words[4];

  HIPLE_SHA void load(const std::uint32_t* state) {
    const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state)),
                  hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    abef = _mm_alignr_epi8(cdab, efgh, 8);
    cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  }
  HIPLE_SHA void store(std::uint32_t* state) const {
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
  }
  HIPLE_SHA void begin() {
    abef_before = abef;
    cdgh_before = cdgh;
  }
  HIPLE_SHA void end() {
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  /// Rounds 4 * step to 4 * step + 3.
  HIPLE_SHA void four_rounds(int step, const std::byte* block) {
    __m128i& now = words[step % 4];
    if (step < 4) {
      const __m128i from_big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
      now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + step), from_big_endian);
    } else {
      const __m128i &before = words[(step + 3) % 4], &third = words[(step + 2) % 4], &second = words[(step + 1) % 4];
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(now, second), _mm_alignr_epi8(before, third, 4));
      now = _mm_sha256msg2_epu32(sum, before);
    }
    const __m128i added = _mm_add_epi32(now, _mm_loadu_si128(reinterpret_cast<const __m128i*>(constants.data()) + step));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
  }
};

template <std::size_t count>
__attribute__((target("sha,sse4.1"))) void compress_some(const Lane* lanes, std::size_t blocks) {
  Stream streams[count];
  for (std::size_t i = 0; i < count; ++i) streams[i].load(lanes[i].state);
  for (std::size_t at = 0; at < 64 * blocks; at += 64) {
    for (std::size_t i = 0; i < count; ++i) streams[i].begin();
#pragma GCC unroll 16
    for (int step = 0; step < 16; ++step)
      for (std::size_t i = 0; i < count; ++i) streams[i].four_rounds(step, lanes[i].data + at);
    for (std::size_t i = 0; i < count; ++i) streams[i].end();
  }
  for (std::size_t i = 0; i < count; ++i) streams[i].store(lanes[i].state);
}

void compress(std::span<const Lane> lanes, std::size_t blocks) {
  if (lanes.size() == 2) return compress_some<2>(lanes.data(), blocks);
  compress_some<1>(lanes.data(), blocks);
}

#undef HIPLE_SHA

}  // namespace

std::optional<Way> by_instructions() {
  static const bool there = is_there();
  if (!there) return std::nullopt;
  return Way{"SHA instructions", 2, compress};
}

#else

std::optional<Way> by_instructions() { return std::nullopt; }

#endif

}  // namespace hiple::sha256_compress
