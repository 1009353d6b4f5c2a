#include "engine/adam.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/adam_factors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/adam.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::engine::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void update(D d, const AdamFactors& f, float* HWY_RESTRICT parameter, const float* HWY_RESTRICT gradient,
                       float* HWY_RESTRICT first, float* HWY_RESTRICT second) {
  const auto p = hn::LoadU(d, parameter);
  const auto g = hn::MulAdd(p, hn::Set(d, f.l2), hn::Mul(hn::LoadU(d, gradient), hn::Set(d, f.gradient_scale)));
  const auto m = hn::MulAdd(hn::LoadU(d, first), hn::Set(d, f.beta1), hn::Mul(g, hn::Set(d, f.beta1_rest)));
  const auto v = hn::MulAdd(hn::LoadU(d, second), hn::Set(d, f.beta2), hn::Mul(hn::Mul(g, g), hn::Set(d, f.beta2_rest)));
  const auto divisor = hn::MulAdd(hn::Sqrt(v), hn::Set(d, f.second_scale), hn::Set(d, f.epsilon));
  const auto next = hn::NegMulAdd(hn::Set(d, f.step), hn::Div(m, divisor), hn::Mul(p, hn::Set(d, f.keep)));
  hn::StoreU(m, d, first);
  hn::StoreU(v, d, second);
  hn::StoreU(next, d, parameter);
}

void update_all(const AdamFactors& f, float* HWY_RESTRICT parameters, const float* HWY_RESTRICT gradients,
                float* HWY_RESTRICT first, float* HWY_RESTRICT second, std::size_t size) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> single;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) update(d, f, parameters + i, gradients + i, first + i, second + i);
  for (; i < size; ++i) update(single, f, parameters + i, gradients + i, first + i, second + i);
}

// In double precision: squares of large gradients do not overflow, and clipping does not depend on the buffer's size.
double sum_of_squares(const float* HWY_RESTRICT values, std::size_t size) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= size; i += 2 * lanes) {
    const auto a = hn::PromoteTo(d, hn::LoadU(narrow, values + i)), b = hn::PromoteTo(d, hn::LoadU(narrow, values + i + lanes));
    even = hn::MulAdd(a, a, even);
    odd = hn::MulAdd(b, b, odd);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; i < size; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

}  // namespace hiple::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::engine {

HWY_EXPORT(update_all);
HWY_EXPORT(sum_of_squares);

double global_norm(std::span<const float> values) {
  return std::sqrt(HWY_DYNAMIC_DISPATCH(sum_of_squares)(values.data(), values.size()));
}

AdamFactors adam_factors(const AdamConfig& config, std::uint64_t number, double learning_rate) {
  const auto real = [](double value) { return static_cast<float>(value); };
  const auto t = static_cast<double>(number);
  const double correction1 = 1.0 - std::pow(config.beta1, t), correction2 = 1.0 - std::pow(config.beta2, t);
  return {.l2 = real(config.decoupled ? 0.0 : config.weight_decay),
          .keep = real(config.decoupled ? 1.0 - learning_rate * config.weight_decay : 1.0),
          .beta1 = real(config.beta1),
          .beta1_rest = real(1.0 - config.beta1),
          .beta2 = real(config.beta2),
          .beta2_rest = real(1.0 - config.beta2),
          .second_scale = real(1.0 / std::sqrt(correction2)),
          .epsilon = real(config.epsilon),
          .step = real(learning_rate / correction1)};
}

Adam::Adam(const AdamConfig& config, std::size_t size, int threads)
    : config_(config), threads_(std::max(threads, 1)), first_(size), second_(size) {}

double Adam::step(std::span<float> parameters, std::span<const float> gradients, double learning_rate) {
  if (parameters.size() != first_.size() || gradients.size() != first_.size()) {
    throw Error("Adam was given buffers of another size than its own");
  }
  ++steps_;
  const double norm = config_.clip > 0 ? global_norm(gradients) : 0.0;
  AdamFactors factors = adam_factors(config_, steps_, learning_rate);
  factors.gradient_scale = static_cast<float>(clip_scale(config_.clip, norm));
  // Shares of whole cache lines, none so small that handing it to a thread takes longer than the step.
  constexpr std::size_t line = 64 / sizeof(float), least = 16384;
  const std::size_t size = first_.size();
  const std::size_t shares = std::clamp<std::size_t>(size / least, 1, static_cast<std::size_t>(threads_));
  const std::size_t share = (size / shares + line) / line * line;
  const auto update = [&](std::size_t begin) {
    const std::size_t count = std::min(share, size - std::min(begin, size));
    if (count == 0) return;
    HWY_DYNAMIC_DISPATCH(update_all)
    (factors, parameters.data() + begin, gradients.data() + begin, first_.data() + begin, second_.data() + begin, count);
  };
  if (shares == 1) {
    update(0);
  } else {
    const auto threads = static_cast<int>(shares);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::size_t i = 0; i < shares; ++i) update(i * share);
  }
  return norm;
}

}  // namespace hiple::engine
#endif
