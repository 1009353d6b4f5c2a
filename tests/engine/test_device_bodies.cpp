#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/philox.hpp"
#include "engine/adam.hpp"
#include "engine/device_bodies.hpp"
#include "engine/kernels_buffer.hpp"
#include "engine/kernels_dropout.hpp"
#include "network_case.hpp"
#include "reference_activation.hpp"
#include "reference_training.hpp"

namespace hiple::engine::device {
namespace {

constexpr auto activations = {Activation::relu, Activation::gelu, Activation::tanh};

TEST(DeviceBodies, ActivationsAndSlopesAreThoseOfTheOracle) {
  for (const Activation activation : activations) {
    for (double x = -12; x <= 12; x += 0.0137) {
      const Activated y = activated(activation, static_cast<float>(x));
      const double rounded = static_cast<double>(static_cast<float>(x));
      EXPECT_NEAR(y.value, reference::activate(activation, rounded), 1e-6) << x;
      EXPECT_NEAR(y.slope, reference::slope(activation, rounded), 1e-6) << x;
    }
    EXPECT_TRUE(std::isnan(activated(activation, std::numeric_limits<float>::quiet_NaN()).value));
  }
}

TEST(DeviceBodies, MasksAreThoseOfTheProcessor) {
  const Philox generator(7, "masks");
  constexpr std::size_t numbers = 3 * mask_group;
  const Dropout dropout(0.3);
  std::vector<float> expected(numbers);
  dropout.fill(generator.key(), 5, 9, dropout_use + 2, expected.data(), numbers);
  Buffer<float> values(numbers), slope(numbers);
  for (std::size_t i = 0; i < numbers; ++i) values.data()[i] = 0.5F + static_cast<float>(i);
  const Step step{.epoch = 5, .step_of_epoch = 9};
  const std::uint32_t index = 0;
  const ActivateMasked body{{&step, &index},     Activation::relu, generator.key()[0], generator.key()[1], dropout_use + 2,
                            dropout.threshold(), dropout.scale(),  values.data(),      slope.data()};
  for (std::size_t i = 0; i < numbers / masked_at_once; ++i) body(i);
  for (std::uint32_t i = 0; i < numbers; ++i) {
    EXPECT_EQ(slope.data()[i], expected[i]) << i;
    EXPECT_EQ(values.data()[i], (0.5F + static_cast<float>(i)) * expected[i]) << i;
    EXPECT_NEAR(slope.data()[i], dropout_factor(generator, 0.3, 5, 9, dropout_use + 2, i), 1e-6) << i;
  }
}

/// Numbers that come in no order.
std::vector<float> normals(std::size_t count, const char* name) {
  PhiloxStream random(Philox(3, name), 0, 0, 0);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(2 * random.next_normal());
  return values;
}

TEST(DeviceBodies, CrossEntropyIsThatOfTheOracle) {
  constexpr std::size_t batch = 7, rows = 5, classes = 4;
  const std::vector<float> logits = normals(batch * classes, "logits");
  const std::vector<std::int32_t> labels{3, 0, 2, 1, 3, 0};
  const std::vector<float> weights{1, 2, 0.5F, 1, 4, 1};
  const std::vector<std::uint32_t> order{5, 4, 3, 2, 1, 0};
  const Step steps[] = {{}, {.first = 1, .rows = rows, .normaliser = 6.5}};
  const std::uint32_t index = 1;
  std::vector<float> gradient(batch * classes, 9.0F);
  std::vector<double> losses(2 * batch, 9.0);
  Table table;
  table.labels = labels.data();
  table.weights = weights.data();
  table.order = order.data();
  const CrossEntropy body{{steps, &index}, table, logits.data(), classes, batch, gradient.data(), losses.data()};
  for (std::size_t row = 0; row < batch; ++row) body(row);
  double sums[2] = {};
  const SumLosses sum{steps, losses.data(), batch, sums};
  sum(1);
  std::vector<std::int32_t> of_rows;
  std::vector<double> of_weights;
  for (std::size_t row = 0; row < rows; ++row) {
    of_rows.push_back(labels[order[1 + row]]);
    of_weights.push_back(weights[order[1 + row]]);
  }
  const auto expected =
      reference::softmax_cross_entropy({logits.begin(), logits.begin() + rows * classes}, of_rows, of_weights, 6.5);
  EXPECT_NEAR(sums[1], expected.value, 1e-6);
  for (std::size_t i = 0; i < rows * classes; ++i) EXPECT_NEAR(gradient[i], expected.gradient[i], 1e-6) << i;
  for (std::size_t i = rows * classes; i < batch * classes; ++i) EXPECT_EQ(gradient[i], 0.0F) << i;
}

TEST(DeviceBodies, SquaredErrorIsThatOfTheOracle) {
  constexpr std::size_t batch = 6, rows = 5;
  const std::vector<float> outputs = normals(batch, "outputs"), numbers = normals(batch, "numbers");
  const std::vector<float> weights{1, 2, 0.5F, 1, 4, 1};
  const Step step{.rows = rows, .normaliser = 8.5};
  const std::uint32_t index = 0;
  std::vector<float> gradient(batch, 9.0F);
  std::vector<double> losses(batch);
  Table table;
  table.numbers = numbers.data();
  table.weights = weights.data();
  const SquaredError body{{&step, &index}, table, outputs.data(), batch, gradient.data(), losses.data()};
  for (std::size_t row = 0; row < batch; ++row) body(row);
  const auto first = [](const std::vector<float>& values) { return std::vector<double>(values.begin(), values.begin() + rows); };
  const auto expected = reference::squared_error(first(outputs), first(numbers), first(weights), 8.5);
  EXPECT_NEAR(std::accumulate(losses.begin(), losses.end(), 0.0), expected.value, 1e-6);
  for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(gradient[i], expected.gradient[i], 1e-6) << i;
  EXPECT_EQ(gradient[rows], 0.0F);
}

TEST(DeviceBodies, AdamIsThatOfTheOracleAndNearlyTheProcessors) {
  constexpr std::size_t size = 64;
  for (const bool decoupled : {true, false}) {
    for (const double clip : {0.0, 0.5}) {
      const AdamConfig config{.weight_decay = 0.02, .decoupled = decoupled, .clip = clip};
      const std::vector<float> begin = normals(size, "parameters");
      Buffer<float> parameters(size), first(size), second(size), gradients(size);
      std::copy(begin.begin(), begin.end(), parameters.data());
      std::vector<double> expected(begin.begin(), begin.end());
      std::vector<float> ours = begin;
      reference::Adam oracle(config, size);
      Adam adam(config, size);
      for (std::uint64_t number = 1; number <= 20; ++number) {
        const std::vector<float> gradient = normals(size, number % 2 == 0 ? "even" : "odd");
        std::copy(gradient.begin(), gradient.end(), gradients.data());
        std::vector<double> many(16), few(4), one(1);
        for (std::size_t i = 0; i < many.size(); ++i) SumSquares{gradients.data(), size, many.size(), many.data()}(i);
        for (std::size_t i = 0; i < few.size(); ++i) SumParts{many.data(), many.size(), 4, few.data()}(i);
        SumParts{few.data(), few.size(), 4, one.data()}(0);
        const Step step{.adam = adam_factors(config, number, 1e-2)};
        const std::uint32_t index = 0;
        const UpdateParameters body{{&step, &index},   clip,         one.data(),   gradients.data(),
                                    parameters.data(), first.data(), second.data()};
        for (std::size_t i = 0; i < size / 4; ++i) body(i);
        oracle.step(expected, {gradient.begin(), gradient.end()}, 1e-2);
        adam.step(ours, gradient, 1e-2);
      }
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(parameters.data()[i], expected[i], 2e-6 * std::max(1.0, std::abs(expected[i]))) << i;
        EXPECT_NEAR(parameters.data()[i], ours[i], 1e-6) << i;
      }
    }
  }
}

TEST(DeviceBodies, EmbeddingsAreGatheredAndTheirGradientsAddedInOrder) {
  // Two categories of 2 and 1 columns, 3 and 2 lines; one dense number.
  const EmbeddedColumn columns[] = {{0, 0, 2, 0}, {0, 0, 2, 1}, {16, 1, 1, 0}};
  const std::uint32_t lines[] = {3, 2};
  std::vector<float> parameters(32);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = static_cast<float>(i);
  const std::vector<float> dense{100, 101, 102};
  const std::vector<std::int32_t> codes{-1, 0, 1, -1, 1, 0};
  const std::vector<std::uint32_t> order{2, 0, 1};
  Table table;
  table.dense = dense.data();
  table.codes = codes.data();
  table.order = order.data();
  const Step step{.rows = 3};
  const std::uint32_t index = 0;
  std::vector<float> input(4 * 4);
  const GatherInput gather{{&step, &index}, table, parameters.data(), columns, 1, 3, 2, input.data()};
  for (std::size_t i = 0; i < input.size(); ++i) gather(i);
  const std::vector<float> expected{102, 4, 5, 17, 100, 0, 1, 17, 101, 4, 5, 16, 102, 4, 5, 17};  // the fourth row is over
  EXPECT_EQ(input, expected);
  const std::vector<float> dy{1, 2, 3, 10, 20, 30, 100, 200, 300, 9, 9, 9};
  std::vector<float> gradients(32, 7.0F);
  const EmbeddingGradient body{{&step, &index}, table, columns, lines, dy.data(), 3, 2, gradients.data()};
  for (std::size_t i = 0; i < 3 * 3; ++i) body(i);
  EXPECT_EQ((std::vector<float>(gradients.begin(), gradients.begin() + 7)), (std::vector<float>{10, 20, 0, 0, 101, 202, 7}));
  EXPECT_EQ((std::vector<float>(gradients.begin() + 16, gradients.begin() + 19)), (std::vector<float>{300, 33, 7}));
}

}  // namespace
}  // namespace hiple::engine::device
