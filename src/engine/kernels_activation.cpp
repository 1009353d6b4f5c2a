#include "engine/kernels_activation.hpp"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels_activation.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::engine::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Vector>
struct Activated {
  Vector value, slope;
};

template <Activation activation, class D, class Vector = hn::Vec<D>>
HWY_INLINE Activated<Vector> activate(D d, Vector x) {
  const auto one = hn::Set(d, 1.0F);
  if constexpr (activation == Activation::relu) {
    // Not max(x, 0), which would turn a NaN into 0.
    const auto negative = hn::Le(x, hn::Zero(d));
    return {hn::IfThenZeroElse(negative, x), hn::IfThenZeroElse(negative, one)};
  } else if constexpr (activation == Activation::tanh) {
    const auto y = hn::IfThenElse(hn::IsNaN(x), x, hn::Tanh(d, x));
    return {y, hn::NegMulAdd(y, y, one)};
  } else {
    // With t = 1 / (1 + p |z|), z = x / sqrt(2): erf(|z|) = 1 - polynomial(t) exp(-z^2). The slope is cdf + x * density.
    const auto bell = hn::Exp(d, hn::Mul(hn::Mul(x, x), hn::Set(d, -0.5F)));
    const auto t = hn::Div(one, hn::MulAdd(hn::Abs(x), hn::Set(d, 0.3275911F * 0.70710678F), one));
    auto polynomial = hn::MulAdd(t, hn::Set(d, 1.061405429F), hn::Set(d, -1.453152027F));
    polynomial = hn::MulAdd(polynomial, t, hn::Set(d, 1.421413741F));
    polynomial = hn::MulAdd(polynomial, t, hn::Set(d, -0.284496736F));
    polynomial = hn::MulAdd(polynomial, t, hn::Set(d, 0.254829592F));
    const auto tail = hn::Mul(hn::Mul(hn::Mul(polynomial, t), bell), hn::Set(d, 0.5F));
    const auto cdf = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
    return {hn::Mul(x, cdf), hn::MulAdd(hn::Mul(x, hn::Set(d, 0.39894228F)), bell, cdf)};
  }
}

// Calls function(tag, i) for vectors of numbers from 0 to `width`, then for single ones.
template <class Function>
HWY_INLINE void for_each_vector(std::int64_t width, Function&& function) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> single;
  const std::size_t lanes = hn::Lanes(d), count = static_cast<std::size_t>(width);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) function(d, i);
  for (; i < count; ++i) function(single, i);
}

template <Activation activation>
void judging(const float* HWY_RESTRICT bias, float* HWY_RESTRICT values, MatrixShape shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row, values += shape.stride) {
    for_each_vector(shape.width, [&](auto d, std::size_t i) HWY_ATTR {
      hn::StoreU(activate<activation>(d, hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, bias + i))).value, d, values + i);
    });
  }
}

template <Activation activation, bool masked>
void training(const float* HWY_RESTRICT bias, float* HWY_RESTRICT values, float* HWY_RESTRICT slope, MatrixShape shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row, values += shape.stride, slope += shape.width) {
    for_each_vector(shape.width, [&](auto d, std::size_t i) HWY_ATTR {
      auto y = activate<activation>(d, hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, bias + i)));
      if constexpr (masked) {
        const auto factor = hn::LoadU(d, slope + i);
        y = {hn::Mul(y.value, factor), hn::Mul(y.slope, factor)};
      }
      hn::StoreU(y.value, d, values + i);
      hn::StoreU(y.slope, d, slope + i);
    });
  }
}

void judge(Activation activation, const float* bias, float* values, MatrixShape shape) {
  switch (activation) {
    case Activation::relu:
      return judging<Activation::relu>(bias, values, shape);
    case Activation::gelu:
      return judging<Activation::gelu>(bias, values, shape);
    case Activation::tanh:
      return judging<Activation::tanh>(bias, values, shape);
  }
}

template <bool masked>
void train(Activation activation, const float* bias, float* values, float* slope, MatrixShape shape) {
  switch (activation) {
    case Activation::relu:
      return training<Activation::relu, masked>(bias, values, slope, shape);
    case Activation::gelu:
      return training<Activation::gelu, masked>(bias, values, slope, shape);
    case Activation::tanh:
      return training<Activation::tanh, masked>(bias, values, slope, shape);
  }
}

void train_masked(Activation activation, const float* bias, float* values, float* slope, MatrixShape shape) {
  train<true>(activation, bias, values, slope, shape);
}

void train_unmasked(Activation activation, const float* bias, float* values, float* slope, MatrixShape shape) {
  train<false>(activation, bias, values, slope, shape);
}

void add(const float* HWY_RESTRICT bias, float* HWY_RESTRICT values, MatrixShape shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row, values += shape.stride) {
    for_each_vector(shape.width, [&](auto d, std::size_t i) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, bias + i)), d, values + i);
    });
  }
}

void multiply_and_sum(const float* HWY_RESTRICT slope, float* HWY_RESTRICT gradient, float* HWY_RESTRICT sums,
                      MatrixShape shape) {
  std::fill(sums, sums + shape.width, 0.0F);
  for (std::int64_t row = 0; row < shape.rows; ++row, gradient += shape.stride, slope += shape.width) {
    for_each_vector(shape.width, [&](auto d, std::size_t i) HWY_ATTR {
      const auto product = hn::Mul(hn::LoadU(d, gradient + i), hn::LoadU(d, slope + i));
      hn::StoreU(product, d, gradient + i);
      hn::StoreU(hn::Add(hn::LoadU(d, sums + i), product), d, sums + i);
    });
  }
}

void sum(const float* HWY_RESTRICT values, float* HWY_RESTRICT sums, MatrixShape shape) {
  std::fill(sums, sums + shape.width, 0.0F);
  const MatrixShape one_row{.rows = 1, .width = shape.width, .stride = shape.stride};
  for (std::int64_t row = 0; row < shape.rows; ++row) add(values + row * shape.stride, sums, one_row);
}

}  // namespace hiple::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::engine {

HWY_EXPORT(judge);
HWY_EXPORT(train_masked);
HWY_EXPORT(train_unmasked);
HWY_EXPORT(add);
HWY_EXPORT(multiply_and_sum);
HWY_EXPORT(sum);

void add_bias_activate(Activation activation, const float* bias, float* values, MatrixShape shape) {
  HWY_DYNAMIC_DISPATCH(judge)(activation, bias, values, shape);
}

void add_bias_activate_training(Activation activation, bool masked, const float* bias, float* values, float* slope,
                                MatrixShape shape) {
  if (masked) {
    HWY_DYNAMIC_DISPATCH(train_masked)(activation, bias, values, slope, shape);
  } else {
    HWY_DYNAMIC_DISPATCH(train_unmasked)(activation, bias, values, slope, shape);
  }
}

void add_bias(const float* bias, float* values, MatrixShape shape) { HWY_DYNAMIC_DISPATCH(add)(bias, values, shape); }

void multiply_by_slope(const float* slope, float* gradient, float* sums, MatrixShape shape) {
  HWY_DYNAMIC_DISPATCH(multiply_and_sum)(slope, gradient, sums, shape);
}

void sum_columns(const float* values, float* sums, MatrixShape shape) { HWY_DYNAMIC_DISPATCH(sum)(values, sums, shape); }

}  // namespace hiple::engine
#endif
