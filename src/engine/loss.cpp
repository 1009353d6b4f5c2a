#include "engine/loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/loss.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::engine::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Exponentials of numbers that are at most 0; NaN stays NaN, which Highway's Exp does not promise.
void exponentials(float* HWY_RESTRICT values, std::size_t count) {
  const auto apply = [values](auto d, std::size_t i) HWY_ATTR {
    const auto x = hn::LoadU(d, values + i);
    hn::StoreU(hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x)), d, values + i);
  };
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> single;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) apply(d, i);
  for (; i < count; ++i) apply(single, i);
}

}  // namespace hiple::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::engine {

HWY_EXPORT(exponentials);

double softmax_cross_entropy(std::span<const float> logits, std::span<const std::int32_t> labels, std::span<const float> weights,
                             double normaliser, std::span<float> gradient) {
  const std::size_t rows = labels.size(), classes = rows == 0 ? 0 : logits.size() / rows;
  if (rows * classes != logits.size() || gradient.size() != logits.size() || (!weights.empty() && weights.size() != rows)) {
    throw Error("the loss was given buffers that do not fit together");
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const float* source = logits.data() + row * classes;
    const float largest = *std::max_element(source, source + classes);
    std::transform(source, source + classes, gradient.data() + row * classes, [largest](float x) { return x - largest; });
  }
  HWY_DYNAMIC_DISPATCH(exponentials)(gradient.data(), gradient.size());
  double loss = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const float* source = logits.data() + row * classes;
    float* target = gradient.data() + row * classes;
    const auto label = static_cast<std::size_t>(labels[row]);
    if (label >= classes) throw Error("the loss was given a label that is no class");
    float sum = 0, largest = source[0];
    for (std::size_t i = 0; i < classes; ++i) {
      sum += target[i];
      largest = std::max(largest, source[i]);
    }
    const double weight = (weights.empty() ? 1.0 : static_cast<double>(weights[row])) / normaliser;
    loss += weight * (std::log(static_cast<double>(sum)) - static_cast<double>(source[label] - largest));
    const float factor = static_cast<float>(weight) / sum;
    for (std::size_t i = 0; i < classes; ++i) target[i] *= factor;
    target[label] -= static_cast<float>(weight);
  }
  return loss;
}

double squared_error(std::span<const float> outputs, std::span<const float> targets, std::span<const float> weights,
                     double normaliser, std::span<float> gradient) {
  const std::size_t rows = outputs.size();
  if (targets.size() != rows || gradient.size() != rows || (!weights.empty() && weights.size() != rows)) {
    throw Error("the loss was given buffers that do not fit together");
  }
  double loss = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double weight = (weights.empty() ? 1.0 : static_cast<double>(weights[row])) / normaliser;
    const double difference = static_cast<double>(outputs[row]) - static_cast<double>(targets[row]);
    loss += weight * difference * difference;
    gradient[row] = static_cast<float>(2.0 * weight * difference);
  }
  return loss;
}

}  // namespace hiple::engine
#endif
