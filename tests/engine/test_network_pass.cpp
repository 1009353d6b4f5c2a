#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "engine/adam.hpp"
#include "engine/loss.hpp"
#include "network_case.hpp"

namespace hiple::engine {
namespace {

NetworkShape dropping_shape() {
  NetworkShape shape = small_series_shape();
  shape.dropout = 0.3;
  shape.activation = Activation::gelu;
  return shape;
}

TEST(TrainingPass, TwoRunsAreEqualBitByBit) {
  std::vector<float> results[2];
  for (std::vector<float>& result : results) {
    NetworkCase tried(dropping_shape(), 7);
    TrainingPass pass(tried.network, 7, tried.generator);
    Adam adam({}, tried.network.layout().size);
    for (std::uint32_t i = 0; i < 5; ++i) {
      pass.load(tried.examples(), tried.rows);
      const std::vector<std::int32_t> labels{0, 1, 2, 3, 3, 1, 0};
      softmax_cross_entropy(pass.forward(1, i), labels, {}, 7, pass.output_gradient());
      pass.backward();
      adam.step(tried.network.parameters(), tried.network.gradients(), 1e-3);
    }
    result.assign(tried.network.parameters().begin(), tried.network.parameters().end());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(TrainingPass, MasksDependOnEpochAndStep) {
  NetworkCase tried(dropping_shape(), 7);
  TrainingPass pass(tried.network, 7, tried.generator);
  pass.load(tried.examples(), tried.rows);
  const auto outputs = [&](std::uint32_t epoch, std::uint32_t step) {
    const auto values = pass.forward(epoch, step);
    return std::vector<float>(values.begin(), values.end());
  };
  EXPECT_EQ(outputs(2, 5), outputs(2, 5));
  EXPECT_NE(outputs(2, 5), outputs(2, 6));
  EXPECT_NE(outputs(2, 5), outputs(5, 2));
}

TEST(TrainingPass, RefusesWhatDoesNotFit) {
  NetworkCase tried(small_shape(), 7);
  TrainingPass pass(tried.network, 4, tried.generator);
  const auto load = [&](std::vector<std::uint32_t> rows) { pass.load(tried.examples(), rows); };
  EXPECT_THROW(load({}), Error);
  EXPECT_THROW(load({0, 1, 2, 3, 4}), Error);
  EXPECT_THROW(load({7}), Error);
  tried.codes[2] = 4;  // of row 1; a category has the codes -1 .. 2
  EXPECT_NO_THROW(load({0}));
  EXPECT_THROW(load({1}), Error);
  tried.codes[2] = -2;
  EXPECT_THROW(load({1}), Error);
  tried.codes.pop_back();
  EXPECT_THROW(load({0}), Error);
  EXPECT_THROW(TrainingPass(tried.network, 0, tried.generator), Error);
}

TEST(JudgingPass, AgreesWithTheReferenceAndShowsThePenultimateLayer) {
  NetworkCase tried(dropping_shape(), 7);
  JudgingPass judging(tried.network, 16);
  auto batch = tried.reference_batch(0, 0);
  batch.factors.clear();
  const auto expected = tried.reference.forward(batch);
  const auto outputs = judging.forward(tried.examples(), tried.rows);
  ASSERT_EQ(outputs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(outputs[i], expected[i], 1e-5) << i;
  ASSERT_EQ(judging.penultimate_width(), 9);
  ASSERT_EQ(judging.penultimate().size(), 63U);
  // The output layer by hand, from what penultimate() shows.
  const LayerSlice& last = tried.network.layout().layers.back();
  for (std::size_t row = 0; row < 7; ++row) {
    double sum = tried.reference.parameters[last.bias];
    for (std::size_t i = 0; i < 9; ++i)
      sum += tried.reference.parameters[last.weight + i] * static_cast<double>(judging.penultimate()[row * 9 + i]);
    EXPECT_NEAR(outputs[row * 4], sum, 1e-5);
  }
}

TEST(JudgingPass, ARowDoesNotDependOnTheOthers) {
  for (NetworkShape shape : {small_shape(), small_series_shape()}) {
    shape.hidden = {67, 33};
    NetworkCase tried(shape, 150);  // a series is judged in several blocks
    JudgingPass judging(tried.network, 150);
    const auto all = judging.forward(tried.examples(), tried.rows);
    const std::vector<float> together(all.begin(), all.end());
    for (std::uint32_t row = 0; row < 150; ++row) {
      const auto alone = judging.forward(tried.examples(), std::vector<std::uint32_t>{row});
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(alone[i], together[row * 4 + i]) << row;
    }
  }
}

TEST(JudgingPass, ANotANumberInASeriesComesOutOfEveryPooling) {
  for (const Pool pool : {Pool::mean, Pool::max, Pool::mean_max, Pool::none}) {
    NetworkShape shape = small_series_shape();
    shape.series.pool = pool;
    NetworkCase tried(shape, 3);
    tried.dense[static_cast<std::size_t>(shape.dense_width() + shape.inputs) + 7] = std::numeric_limits<float>::quiet_NaN();
    JudgingPass judging(tried.network, 3);
    const auto outputs = judging.forward(tried.examples(), tried.rows);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(std::isnan(outputs[i]), i / 4 == 1) << i;
  }
}

TEST(JudgingPass, NotANumberComesOutAsSuchAndStaysInItsRow) {
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::tanh}) {
    NetworkShape shape = small_shape();
    shape.activation = activation;
    NetworkCase tried(shape, 3);
    tried.dense[6] = std::numeric_limits<float>::quiet_NaN();
    JudgingPass judging(tried.network, 3);
    const auto outputs = judging.forward(tried.examples(), tried.rows);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(std::isnan(outputs[i]), i / 4 == 1) << i;
  }
}

TEST(JudgingPass, ANetworkWithoutHiddenLayersShowsItsInput) {
  NetworkCase tried({.inputs = 2, .embeddings = {{.values = 1, .width = 1}}, .hidden = {}, .outputs = 1}, 2);
  JudgingPass judging(tried.network, 2);
  judging.forward(tried.examples(), tried.rows);
  ASSERT_EQ(judging.penultimate_width(), 3);
  EXPECT_EQ(judging.penultimate()[3], tried.dense[2]);
}

}  // namespace
}  // namespace hiple::engine
