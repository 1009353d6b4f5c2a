#include "scaling/micro/multiply_add.hpp"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hiple::scaling {

namespace {

/// More than a multiply-add's latency in cycles times those begun in one; fewer than there are registers.
constexpr int chains = 12;
constexpr std::int64_t rounds = 2000;
constexpr float factor = 0.999F, addend = 1e-3F;  // every chain goes towards 1

/// Keeps a result alive without a store that the loop would have to make.
volatile float sink = 0;

/// The next lines hold the same loop once for each width: intrinsics are of one width, and the target is an attribute of the
/// function.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void of_16() {
  __m512 values[chains];
  for (__m512& value : values) value = _mm512_set1_ps(0.5F);
  const __m512 by = _mm512_set1_ps(factor), plus = _mm512_set1_ps(addend);
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) values[chain] = _mm512_fmadd_ps(values[chain], by, plus);
  }
  for (const __m512& value : values) sink = sink + _mm512_cvtss_f32(value);
}

[[gnu::target("avx2,fma")]] void of_8() {
  __m256 values[chains];
  for (__m256& value : values) value = _mm256_set1_ps(0.5F);
  const __m256 by = _mm256_set1_ps(factor), plus = _mm256_set1_ps(addend);
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) values[chain] = _mm256_fmadd_ps(values[chain], by, plus);
  }
  for (const __m256& value : values) sink = sink + _mm256_cvtss_f32(value);
}
#endif

constexpr std::size_t plain_width = 4;

void of_4() {
  std::array<float, chains * plain_width> values;
  values.fill(0.5F);
  for (std::int64_t i = 0; i < rounds; ++i)
    for (float& value : values) value = value * factor + addend;
  for (const float value : values) sink = sink + value;
}

Point measure(std::int64_t width, void (*loop)(), const Effort& effort) {
  const double operations = 2.0 * chains * static_cast<double>(width * rounds);
  return {.size = width, .work = operations, .seconds = time_calls(effort, loop)};
}

}  // namespace

Series multiply_add_series(const Effort& effort) {
  Series series{"multiply_add", "independent multiply-adds in registers, single precision", "numbers in a vector", "flop/s", {}};
  series.points.push_back(measure(plain_width, of_4, effort));
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) series.points.push_back(measure(8, of_8, effort));
  if (__builtin_cpu_supports("avx512f")) series.points.push_back(measure(16, of_16, effort));
#endif
  return series;
}

}  // namespace hiple::scaling
