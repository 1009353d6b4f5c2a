#include "scaling/micro/memory.hpp"

#include "engine/adam.hpp"
#include "engine/kernels_buffer.hpp"

namespace hiple::scaling {

namespace {

using Numbers = engine::Buffer<float>;

Numbers filled(std::int64_t size, float value) {
  Numbers numbers(static_cast<std::size_t>(size));
  std::fill_n(numbers.data(), numbers.size(), value);
  return numbers;
}

/// A loop over n numbers, in as many equal shares as there are threads.
template <class Loop>
void share_out(std::size_t n, int threads, const Loop& loop) {
  if (threads == 1) return loop(std::size_t{0}, n);
  const auto shares = static_cast<std::size_t>(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (std::size_t i = 0; i < shares; ++i) loop(n * i / shares, n * (i + 1) / shares);
}

Point triad(std::int64_t size, const Effort& effort, int threads) {
  Numbers a = filled(size, 0), b = filled(size, 1), c = filled(size, 2);
  const auto loop = [&](std::size_t begin, std::size_t end) {
    float* __restrict to = a.data();
    const float* __restrict left = b.data();
    const float* __restrict right = c.data();
    for (std::size_t i = begin; i < end; ++i) to[i] = left[i] + 3.0F * right[i];
  };
  const auto call = [&] { share_out(a.size(), threads, loop); };
  return {.size = size, .work = 3.0 * 4.0 * static_cast<double>(size), .seconds = time_calls(effort, call)};
}

/// The arithmetic is as little as keeps every array in use.
Point four_reads_three_writes(std::int64_t size, const Effort& effort, int threads) {
  Numbers parameter = filled(size, 1), gradient = filled(size, 1e-3F), first = filled(size, 0), second = filled(size, 0);
  const auto loop = [&](std::size_t begin, std::size_t end) {
    float* __restrict p = parameter.data();
    const float* __restrict g = gradient.data();
    float* __restrict m = first.data();
    float* __restrict v = second.data();
    for (std::size_t i = begin; i < end; ++i) {
      m[i] = 0.9F * m[i] + g[i];
      v[i] = 0.9F * v[i] + g[i];
      p[i] = p[i] - 1e-6F * (m[i] + v[i]);
    }
  };
  const auto call = [&] { share_out(parameter.size(), threads, loop); };
  return {.size = size, .work = 7.0 * 4.0 * static_cast<double>(size), .seconds = time_calls(effort, call)};
}

Point engine_adam(std::int64_t size, const Effort& effort, int threads) {
  Numbers parameter = filled(size, 1), gradient = filled(size, 1e-3F);
  engine::Adam adam({}, parameter.size(), threads);
  const auto call = [&] { adam.step({parameter.data(), parameter.size()}, {gradient.data(), gradient.size()}, 1e-6); };
  return {.size = size, .work = 7.0 * 4.0 * static_cast<double>(size), .seconds = time_calls(effort, call)};
}

}  // namespace

std::vector<Series> memory_series(const std::vector<std::int64_t>& sizes, const Effort& effort, int threads) {
  std::vector<Series> series{
      {"triad", "a = b + 3 c: two arrays read, one written", "numbers an array", "byte/s", {}},
      {"four_reads_three_writes",
       "plain loop over four arrays, three of them written in place",
       "numbers an array",
       "byte/s",
       {}},
      {"adam", "a step of the engine's Adam: the same four reads and three writes", "parameters", "byte/s", {}}};
  for (const std::int64_t size : sizes) {
    series[0].points.push_back(triad(size, effort, threads));
    series[1].points.push_back(four_reads_three_writes(size, effort, threads));
    series[2].points.push_back(engine_adam(size, effort, threads));
  }
  return series;
}

}  // namespace hiple::scaling
