#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "engine/loss.hpp"
#include "engine/network.hpp"
#include "network_case.hpp"
#include "reference_training.hpp"

namespace hiple::engine {
namespace {

using testing::Each;
using testing::ElementsAre;

struct Variant {
  std::string name;
  Activation activation = Activation::relu;
  double dropout = 0.0;
  bool embeddings = true;
  std::vector<std::int64_t> hidden{13, 9};
  std::optional<Pool> series = {};  ///< where there is one: how it is pooled
};

class Networks : public testing::TestWithParam<Variant> {
 protected:
  static NetworkShape shape() {
    NetworkShape result = small_shape();
    result.activation = GetParam().activation;
    result.dropout = GetParam().dropout;
    result.hidden = GetParam().hidden;
    if (!GetParam().embeddings) result.embeddings.clear();
    if (GetParam().series) {
      result.series = small_series_shape().series;
      result.series.pool = *GetParam().series;
    }
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(, Networks,
                         testing::Values(Variant{"relu"}, Variant{"relu_dropout", Activation::relu, 0.4},
                                         Variant{"gelu", Activation::gelu}, Variant{"gelu_dropout", Activation::gelu, 0.25},
                                         Variant{"tanh", Activation::tanh}, Variant{"tanh_dropout", Activation::tanh, 0.1},
                                         Variant{"dense_only", Activation::relu, 0.2, false},
                                         Variant{"no_hidden_layer", Activation::relu, 0.0, true, {}},
                                         Variant{"wide", Activation::gelu, 0.5, true, {130, 3}},
                                         Variant{"padded_rows", Activation::relu, 0.3, true, {128, 3}},
                                         Variant{"series_mean", Activation::gelu, 0.0, true, {13, 9}, Pool::mean},
                                         Variant{"series_max", Activation::relu, 0.3, false, {13}, Pool::max},
                                         Variant{"series_mean_max", Activation::tanh, 0.2, true, {13, 9}, Pool::mean_max},
                                         Variant{"series_in_place", Activation::relu, 0.0, true, {}, Pool::none}),
                         [](const auto& tried) { return tried.param.name; });

double reference_loss(reference::Network& network, const reference::Network::Batch& batch,
                      const std::vector<std::int32_t>& labels, const std::vector<double>& weights) {
  return reference::softmax_cross_entropy(network.forward(batch), labels, weights, 5.5).value;
}

TEST_P(Networks, AgreeWithTheReferenceForwardAndBackward) {
  constexpr std::uint32_t epoch = 3, step = 11;
  NetworkCase tried(shape(), 7);
  const std::vector<std::int32_t> labels{0, 1, 2, 3, 3, 1, 0};
  const std::vector<float> weights{1, 2, 0.5, 1, 0, 1, 1};
  TrainingPass pass(tried.network, 8, tried.generator);  // one row of the batch stays free
  pass.load(tried.examples(), tried.rows);
  const auto logits = pass.forward(epoch, step);
  const auto batch = tried.reference_batch(epoch, step);
  const auto expected = tried.reference.forward(batch);
  ASSERT_EQ(logits.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(logits[i], expected[i], 1e-5) << i;

  const double loss = softmax_cross_entropy(logits, labels, weights, 5.5, pass.output_gradient());
  const auto reference_loss = reference::softmax_cross_entropy(expected, labels, {weights.begin(), weights.end()}, 5.5);
  EXPECT_NEAR(loss, reference_loss.value, 1e-6);
  pass.backward();
  const auto gradient = tried.reference.backward(batch, reference_loss.gradient);
  const auto gradients = tried.network.gradients();
  ASSERT_EQ(gradients.size(), gradient.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(gradients[i], gradient[i], 3e-6) << i;
}

TEST_P(Networks, ReferenceAgreesWithFiniteDifferences) {
  NetworkCase tried(shape(), 7);
  const std::vector<std::int32_t> labels{0, 1, 2, 3, 3, 1, 0};
  const std::vector<double> weights{1, 2, 0.5, 1, 0, 1, 1};
  const auto batch = tried.reference_batch(0, 0);
  auto& parameters = tried.reference.parameters;
  const auto dy = reference::softmax_cross_entropy(tried.reference.forward(batch), labels, weights, 5.5).gradient;
  const auto gradient = tried.reference.backward(batch, dy);
  constexpr double h = 1e-6;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double kept = parameters[i];
    parameters[i] = kept + h;
    const double above = reference_loss(tried.reference, batch, labels, weights);
    parameters[i] = kept - h;
    const double below = reference_loss(tried.reference, batch, labels, weights);
    parameters[i] = kept;
    ASSERT_NEAR(gradient[i], (above - below) / (2 * h), 1e-8) << i;
  }
}

TEST_P(Networks, TenStepsAgreeWithTheReference) {
  for (const bool decoupled : {true, false}) {
    const AdamConfig config{.weight_decay = 0.05, .decoupled = decoupled, .clip = 0.2};
    NetworkCase tried(shape(), 7);
    const std::vector<std::int32_t> labels{0, 1, 2, 3, 3, 1, 0};
    TrainingPass pass(tried.network, 7, tried.generator);
    Adam adam(config, tried.network.layout().size);
    reference::Adam reference_adam(config, tried.network.layout().size);
    for (std::uint32_t step = 0; step < 10; ++step) {
      pass.load(tried.examples(), tried.rows);
      softmax_cross_entropy(pass.forward(0, step), labels, {}, 7, pass.output_gradient());
      pass.backward();
      adam.step(tried.network.parameters(), tried.network.gradients(), 1e-2);
      const auto batch = tried.reference_batch(0, step);
      const auto loss = reference::softmax_cross_entropy(tried.reference.forward(batch), labels, std::vector<double>(7, 1.0), 7);
      reference_adam.step(tried.reference.parameters, tried.reference.backward(batch, loss.gradient), 1e-2);
    }
    // A gradient that is zero but for rounding moves its parameter by up to the learning rate in either direction; the filling
    // zeros stay.
    for (std::size_t i = 0; i < tried.reference.parameters.size(); ++i) {
      EXPECT_NEAR(tried.network.parameters()[i], tried.reference.parameters[i], 2e-4) << i;
    }
  }
}

TEST(Network, RegressionAgreesWithTheReference) {
  NetworkShape shape = small_shape();
  shape.outputs = 1;
  shape.activation = Activation::tanh;
  NetworkCase tried(shape, 6);
  const std::vector<float> targets{1.5, -2, 0, 3, 0.25, -0.5}, weights{1, 1, 2, 1, 0.5, 1};
  TrainingPass pass(tried.network, 6, tried.generator);
  pass.load(tried.examples(), tried.rows);
  const double loss = squared_error(pass.forward(0, 0), targets, weights, 6.5, pass.output_gradient());
  pass.backward();
  const auto batch = tried.reference_batch(0, 0);
  const auto expected = reference::squared_error(tried.reference.forward(batch), {targets.begin(), targets.end()},
                                                 {weights.begin(), weights.end()}, 6.5);
  EXPECT_NEAR(loss, expected.value, 1e-5);
  const auto gradient = tried.reference.backward(batch, expected.gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(tried.network.gradients()[i], gradient[i], 1e-5) << i;
}

TEST(Network, LayoutNamesEveryLayerWithoutGapsAtCacheLines) {
  const Layout layout(small_shape());
  std::vector<std::string> names;
  std::size_t end = 0;
  for (const LayerSlice& layer : layout.layers) {
    names.push_back(layer.name);
    EXPECT_EQ(layer.begin, end);
    EXPECT_EQ(layer.weight % 16, 0U);
    EXPECT_EQ(layer.bias % 16, 0U);
    end = layer.begin + layer.size;
  }
  EXPECT_THAT(names, ElementsAre("embedding0", "embedding1", "layer0", "layer1", "layer2"));
  EXPECT_EQ(layout.size, end);
  EXPECT_EQ(layout.parameters, 4U * 2 + 5 * 3 + 13 * 10 + 13 + 9 * 13 + 9 + 4 * 9 + 4);
}

TEST(Network, ConvolutionsLieBetweenEmbeddingsAndLayers) {
  const Layout layout(small_series_shape());
  std::vector<std::string> names;
  for (const LayerSlice& layer : layout.layers) names.push_back(layer.name);
  EXPECT_THAT(names, ElementsAre("embedding0", "embedding1", "convolution0", "convolution1", "layer0", "layer1", "layer2"));
  EXPECT_EQ(layout.layers[3].rows, 5);
  EXPECT_EQ(layout.layers[3].columns, 3 * 6);
  EXPECT_EQ(layout.layers[4].columns, 5 + 2 + 3 + 2 * 5);
}

TEST(Network, ASeriesLosesItsPlacesToKernelsAndStrides) {
  SeriesShape series = small_series_shape().series;
  EXPECT_EQ(series.places_after(0), 11);
  EXPECT_EQ(series.places_after(1), 8);
  EXPECT_EQ(series.places_after(2), 3);
  EXPECT_EQ(series.pooled(), 10);
  series.pool = Pool::none;
  EXPECT_EQ(series.pooled(), 15);
  series.convolutions[1].kernel = 9;
  EXPECT_EQ(series.places_after(2), 0);
}

TEST(Network, InitialParametersAreAFunctionOfSeedNameLayerAndPlace) {
  NetworkShape shape{.inputs = 100, .embeddings = {}, .hidden = {200}, .outputs = 50};
  Network network(shape), same(shape), other(shape);
  network.initialise(Philox(1, "a"));
  same.initialise(Philox(1, "a"));
  other.initialise(Philox(1, "b"));
  EXPECT_TRUE(std::ranges::equal(network.parameters(), same.parameters()));
  EXPECT_FALSE(std::ranges::equal(network.parameters(), other.parameters()));
  const auto deviation = [&network](std::size_t layer) {
    const LayerSlice& slice = network.layout().layers[layer];
    double squares = 0;
    for (const float w : network.parameters().subspan(slice.weight, static_cast<std::size_t>(slice.rows * slice.columns))) {
      squares += static_cast<double>(w) * static_cast<double>(w);
    }
    return std::sqrt(squares / static_cast<double>(slice.rows * slice.columns));
  };
  EXPECT_NEAR(deviation(0), std::sqrt(2.0 / 100), 0.003);
  EXPECT_NEAR(deviation(1), std::sqrt(2.0 / 250), 0.003);
  EXPECT_THAT(network.parameters().subspan(network.layout().layers[0].bias, 200), Each(0.0F));
  PhiloxStream stream(Philox(1, "a"), 0, 0, initial_use + 1);
  EXPECT_FLOAT_EQ(network.parameters()[network.layout().layers[1].weight],
                  static_cast<float>(std::sqrt(2.0 / 250) * stream.next_normal()));
}

/// With and without a series.
class NetworkShapes : public testing::TestWithParam<bool> {
 protected:
  static NetworkShape shape() { return GetParam() ? small_series_shape() : small_shape(); }
};

INSTANTIATE_TEST_SUITE_P(Series, NetworkShapes, testing::Bool());

TEST_P(NetworkShapes, HooksRunLayerByLayerWhenASliceIsComplete) {
  NetworkCase tried(shape(), 7);
  TrainingPass pass(tried.network, 7, tried.generator);
  const auto run = [&](const LayerHook& before, const LayerHook& after) {
    pass.load(tried.examples(), tried.rows);
    pass.forward(0, 0, before);
    std::ranges::fill(pass.output_gradient(), 0.5F);
    pass.backward(after);
  };
  run({}, {});
  const std::vector<float> complete(tried.network.gradients().begin(), tried.network.gradients().end());
  std::ranges::fill(tried.network.gradients(), std::numeric_limits<float>::quiet_NaN());
  for (const LayerSlice& layer : tried.network.layout().layers) {  // what fills up is nobody's
    std::ranges::fill(tried.network.gradients().subspan(layer.begin, layer.size), 0.0F);
  }
  std::vector<std::size_t> forward, backward;
  run([&](std::size_t layer) { forward.push_back(layer); },
      [&](std::size_t layer) {
        backward.push_back(layer);
        const LayerSlice& slice = tried.network.layout().layers[layer];
        for (std::size_t i = slice.begin; i < slice.begin + slice.size; ++i) {
          ASSERT_EQ(tried.network.gradients()[i], complete[i]) << slice.name;
        }
      });
  std::vector<std::size_t> order(tried.network.layout().layers.size());
  std::iota(order.begin(), order.end(), 0U);
  EXPECT_EQ(forward, order);
  std::ranges::reverse(order);
  EXPECT_EQ(backward, order);
}

TEST_P(NetworkShapes, BackwardInPartsCompletesTheGradientsFromTheirEnd) {
  NetworkCase tried(shape(), 7);
  TrainingPass pass(tried.network, 7, tried.generator);
  pass.load(tried.examples(), tried.rows);
  pass.forward(0, 0);
  std::ranges::fill(pass.output_gradient(), 0.5F);
  pass.backward();
  const std::vector<float> whole(tried.network.gradients().begin(), tried.network.gradients().end());
  for (const std::size_t part : {1U, 25U, 1000000U}) {
    pass.forward(0, 0);
    std::ranges::fill(pass.output_gradient(), 0.5F);
    std::ranges::fill(tried.network.gradients(), 1e30F);
    for (const LayerSlice& layer : tried.network.layout().layers) {  // what fills up is nobody's
      std::fill_n(tried.network.gradients().data() + layer.begin + layer.rows * layer.columns,
                  layer.size - static_cast<std::size_t>(layer.rows * layer.columns), 0.0F);
    }
    std::size_t before = whole.size(), places = 0;
    pass.backward_in_parts(part, [&](std::size_t begin) {
      ASSERT_LT(begin, before);
      for (std::size_t i = begin; i < before; ++i) ASSERT_NEAR(tried.network.gradients()[i], whole[i], 1e-5) << i;
      before = begin;
      ++places;
    });
    EXPECT_EQ(before, 0U);
    std::size_t expected = 0;
    for (const LayerSlice& layer : tried.network.layout().layers) {
      const std::size_t most = std::max<std::size_t>(1, part / static_cast<std::size_t>(layer.columns));
      expected += layer.embedding ? 1 : (static_cast<std::size_t>(layer.rows) + most - 1) / most;
    }
    EXPECT_EQ(places, expected) << part;
  }
}

TEST(Network, RefusesShapesThatAreNone) {
  const auto refused = [](auto change) {
    NetworkShape shape = small_shape();
    change(shape);
    EXPECT_THROW(Network{shape}, Error);
  };
  refused([](NetworkShape& shape) { shape.outputs = 0; });
  refused([](NetworkShape& shape) { shape.inputs = -1; });
  refused([](NetworkShape& shape) { shape.hidden = {8, 0}; });
  refused([](NetworkShape& shape) { shape.dropout = 1.0; });
  refused([](NetworkShape& shape) { shape.dropout = std::numeric_limits<double>::quiet_NaN(); });
  refused([](NetworkShape& shape) { shape.embeddings[0].width = 0; });
  refused([](NetworkShape& shape) {
    shape.inputs = 0;
    shape.embeddings.clear();
  });
  const auto refused_series = [](auto change) {
    NetworkShape shape = small_series_shape();
    change(shape.series);
    EXPECT_THROW(Network{shape}, Error);
  };
  refused_series([](SeriesShape& series) { series.convolutions[1].kernel = 9; });  // of 8 places
  refused_series([](SeriesShape& series) { series.convolutions[0].kernel = 0; });
  refused_series([](SeriesShape& series) { series.convolutions[0].stride = 0; });
  refused_series([](SeriesShape& series) { series.convolutions[0].channels = -1; });
  refused_series([](SeriesShape& series) { series.convolutions.clear(); });
  refused_series([](SeriesShape& series) { series.length = 0; });
  refused_series([](SeriesShape& series) { series.channels = 0; });
  EXPECT_THROW(parse_activation("Relu"), Error);
  EXPECT_THROW(parse_pool("average"), Error);
  EXPECT_EQ(parse_activation("gelu"), Activation::gelu);
}

}  // namespace
}  // namespace hiple::engine
