#include <gtest/gtest.h>

#include <array>

#include "scaling/measure/planted_data.hpp"

namespace hiple::scaling {
namespace {

constexpr std::size_t inputs = 7, classes = 3;  // 7: no multiple of a block of random numbers

std::array<float, inputs> example(const PlantedData& data, std::uint64_t index) {
  std::array<float, inputs> values{};
  data.example(index, values);
  return values;
}

TEST(PlantedData, AnExampleDependsOnSeedNameAndIndexOnly) {
  const PlantedData data(3, "monolith", inputs, classes), same(3, "monolith", inputs, classes);
  example(same, 5);  // another order
  EXPECT_EQ(example(data, 17), example(same, 17));
  EXPECT_NE(example(data, 17), example(data, 18));
  EXPECT_NE(example(data, 17), example(data, 17 + (std::uint64_t{1} << 32)));
  EXPECT_NE(example(data, 17), example(PlantedData(4, "monolith", inputs, classes), 17));
  EXPECT_NE(example(data, 17), example(PlantedData(3, "engine0", inputs, classes), 17));
}

TEST(PlantedData, InputsHaveMeanZeroAndVarianceOne) {
  const PlantedData data(1, "monolith", inputs, classes);
  double sum = 0, squares = 0;
  std::array<int, classes> labels{};
  constexpr int count = 4000;
  for (int i = 0; i < count; ++i) {
    std::array<float, inputs> values{};
    const auto label = static_cast<std::size_t>(data.example(static_cast<std::uint64_t>(i), values));
    ASSERT_LT(label, classes);
    ++labels[label];
    for (const float value : values) {
      sum += value;
      squares += static_cast<double>(value) * value;
    }
  }
  EXPECT_NEAR(sum / (count * inputs), 0.0, 0.03);
  EXPECT_NEAR(squares / (count * inputs), 1.0, 0.03);
  for (const int rows : labels) EXPECT_GT(rows, count / 20);
}

}  // namespace
}  // namespace hiple::scaling
