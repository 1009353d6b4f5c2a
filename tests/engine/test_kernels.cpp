#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "engine/kernels_activation.hpp"
#include "engine/kernels_dropout.hpp"
#include "engine/kernels_product.hpp"
#include "engine/layer.hpp"
#include "network_case.hpp"

namespace hiple::engine {
namespace {

TEST(Dropout, EveryFactorIsTheFunctionOfItsPlace) {
  const Philox generator(3, "dropout");
  for (const std::size_t count : {1U, 16U, 127U, 128U, 1000U}) {
    std::vector<float> factors(count, -1.0F);
    Dropout(0.3).fill(generator.key(), 5, 6, dropout_use + 2, factors.data(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_FLOAT_EQ(factors[i], static_cast<float>(dropout_factor(generator, 0.3, 5, 6, dropout_use + 2, i))) << i;
    }
  }
}

TEST(Dropout, DropsItsShareAndKeepsTheMean) {
  std::vector<float> factors(100000);
  const Dropout dropout(0.1);
  dropout.fill(Philox(1, "share").key(), 0, 0, 0, factors.data(), factors.size());
  double sum = 0, zeros = 0;
  for (const float factor : factors) {
    sum += static_cast<double>(factor);
    zeros += factor == 0.0F ? 1 : 0;
  }
  EXPECT_NEAR(zeros / 1e5, 0.1, 0.004);
  EXPECT_NEAR(sum / 1e5, 1.0, 0.005);
  EXPECT_TRUE(dropout.active());
  EXPECT_FALSE(Dropout(0.0).active());
}

TEST(Activations, AgreeWithTheirDefinitionOverTheirRange) {
  constexpr std::int64_t count = 2001;
  const std::vector<float> bias(count);
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::tanh}) {
    std::vector<float> values(count), slope(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) / 100.0F - 10.0F;
    std::vector<float> judged = values;
    const std::vector<float> x = values;
    add_bias_activate(activation, bias.data(), judged.data(), {1, count, count});
    add_bias_activate_training(activation, false, bias.data(), values.data(), slope.data(), {1, count, count});
    EXPECT_EQ(judged, values);
    for (std::size_t i = 0; i < count; ++i) {
      const double z = static_cast<double>(x[i]), cdf = 0.5 * std::erfc(-z / std::sqrt(2.0));
      double value = std::max(z, 0.0), derivative = z > 0 ? 1 : 0;
      if (activation == Activation::tanh) {
        value = std::tanh(z);
        derivative = 1 - value * value;
      } else if (activation == Activation::gelu) {
        value = z * cdf;
        derivative = cdf + z * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
      }
      ASSERT_NEAR(values[i], value, 1e-6) << z;
      ASSERT_NEAR(slope[i], derivative, 1e-6) << z;
    }
  }
}

TEST(Kernels, SumsColumnsAndMultipliesBySlope) {
  constexpr std::int64_t rows = 3, width = 19;
  std::vector<float> gradient(rows * width), slope(rows * width), sums(width, 7.0F);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] = static_cast<float>(i);
    slope[i] = i % 2 == 0 ? 0.0F : 0.5F;
  }
  sum_columns(gradient.data(), sums.data(), {rows, width, width});
  for (std::size_t k = 0; k < width; ++k) EXPECT_EQ(sums[k], static_cast<float>(3 * k + 57));
  multiply_by_slope(slope.data(), gradient.data(), sums.data(), {rows, width, width});
  for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_EQ(gradient[i], i % 2 == 0 ? 0.0F : 0.5F * static_cast<float>(i));
  for (std::size_t k = 0; k < width; ++k) EXPECT_EQ(sums[k], gradient[k] + gradient[k + width] + gradient[k + 2 * width]);
}

TEST(Product, MultipliesWhatItSays) {
  const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 1, 0, 1};  // [2, 3], [3, 2]
  std::vector<float> c(4, 10.0F);
  product({.values = a.data(), .stride = 3}, {.values = b.data(), .stride = 2}, c.data(), 2, 2, 2, 3);
  EXPECT_EQ(c, (std::vector<float>{5, 5, 14, 11}));
  product({.values = a.data(), .stride = 3}, {.values = b.data(), .stride = 2}, c.data(), 2, 2, 2, 3, true);
  EXPECT_EQ(c, (std::vector<float>{10, 10, 28, 22}));
  const std::vector<float> at{1, 4, 2, 5, 3, 6};
  product({.values = at.data(), .stride = 2, .operand = Operand::transposed}, {.values = b.data(), .stride = 2}, c.data(), 2, 2,
          2, 3);
  EXPECT_EQ(c, (std::vector<float>{5, 5, 14, 11}));
  EXPECT_THROW(product({.values = a.data(), .stride = 1}, {.values = b.data(), .stride = 2}, c.data(), 2, 2, 2, 3), Error);
}

TEST(Layers, SplitByColumnsTheyAddUp) {
  // What tensor parallelism needs: two halves of a layer's outputs side by side are the layer.
  const std::vector<float> weight{1, 2, 3, 4, 5, 6, 7, 8}, x{1, -1, 2, 0.5};  // [4, 2], [2, 2]
  std::vector<float> whole(8), upper(4), lower(4);
  linear_forward({weight.data(), nullptr, 2, 4}, {x.data(), 2}, {whole.data(), 4}, 2);
  linear_forward({weight.data(), nullptr, 2, 2}, {x.data(), 2}, {upper.data(), 2}, 2);
  linear_forward({weight.data() + 4, nullptr, 2, 2}, {x.data(), 2}, {lower.data(), 2}, 2);
  EXPECT_EQ(whole, (std::vector<float>{upper[0], upper[1], lower[0], lower[1], upper[2], upper[3], lower[2], lower[3]}));
  EXPECT_EQ(whole[0], -1.0F);
}

}  // namespace
}  // namespace hiple::engine
