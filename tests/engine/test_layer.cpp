#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/layer.hpp"

namespace hiple::engine {
namespace {

/// Numbers between -1 and 1 that repeat late.
std::vector<float> numbers(std::size_t count, double step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(std::sin(step * static_cast<double>(i)));
  return values;
}

class InputGradient : public testing::TestWithParam<std::int64_t> {};

// Widths on both sides of what is copied first; `first` leaves out columns as embeddings do.
TEST_P(InputGradient, IsTheProductWithTheWeight) {
  const std::int64_t inputs = GetParam();
  constexpr std::int64_t outputs = 48, rows = 20;
  const auto weight = numbers(static_cast<std::size_t>(inputs * outputs), 0.37);
  const auto dy = numbers(static_cast<std::size_t>(rows * outputs), 0.11);
  const LinearView<const float> layer{weight.data(), nullptr, inputs, outputs};
  std::vector<float> scratch(static_cast<std::size_t>(input_gradient_scratch(inputs, outputs)));
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{5}}) {
    const std::int64_t width = inputs - first;
    std::vector<float> dx(static_cast<std::size_t>(rows * good_stride(width)));
    linear_input_gradient(layer, {dy.data(), outputs}, {dx.data(), good_stride(width)}, rows, scratch.data(), first);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < width; ++column) {
        double expected = 0;
        for (std::int64_t k = 0; k < outputs; ++k) {
          expected += static_cast<double>(dy[static_cast<std::size_t>(row * outputs + k)]) *
                      static_cast<double>(weight[static_cast<std::size_t>(k * inputs + first + column)]);
        }
        ASSERT_NEAR(dx[static_cast<std::size_t>(row * good_stride(width) + column)], expected, 1e-5) << row << ' ' << column;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, InputGradient, testing::Values(7, 100, 128, 256, 512, 640, 1024));

TEST(InputGradientScratch, IsOneWiderCopyWhereRowsLieBadly) {
  EXPECT_EQ(input_gradient_scratch(100, 10), 0);
  EXPECT_EQ(input_gradient_scratch(512, 10), good_stride(512) * 10);
  EXPECT_EQ(input_gradient_scratch(1024, 10), 0);
}

}  // namespace
}  // namespace hiple::engine
