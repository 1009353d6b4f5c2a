#include <gtest/gtest.h>

#include <algorithm>

#include "allocations.hpp"
#include "engine/network.hpp"
#include "scaling/measure/engine_arithmetic.hpp"
#include "scaling/measure/engine_compute.hpp"

namespace hiple::scaling {
namespace {

const engine::NetworkShape network{.inputs = 6, .embeddings = {}, .hidden = {128, 11}, .outputs = 3};
constexpr std::uint64_t rows = 12;
const Share whole{.name = "m", .rows = rows, .batch = rows, .steps = 10};

/// One pass of all layers forth and back over this step's rows, in two parts where `add`. Returns the loss.
double pass(Chain& chain, Batches& batches, const std::vector<float>& parameters, std::vector<float>& gradients,
            std::uint64_t step, std::uint64_t first, std::uint64_t count, bool add) {
  const std::vector<LayerPlace>& layers = chain.layers();
  batches.load(step, first, count, chain.values(0));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    chain.multiply(i, &parameters[layers[i].weight]);
    chain.activate(i, &parameters[layers[i].bias]);
  }
  const double loss = batches.loss(step, first, count, chain.values(layers.size()).values, chain.gradient(layers.size()).values);
  for (std::size_t i = layers.size(); i-- > 0;) {
    chain.through_activation(i, &gradients[layers[i].bias], add);
    const std::int64_t half = layers[i].outputs / 2;
    chain.weight_gradient(i, half, layers[i].outputs - half, &gradients[layers[i].row(half)], add);
    chain.weight_gradient(i, 0, half, &gradients[layers[i].weight], add);
    chain.input_gradient(i, &parameters[layers[i].weight]);
  }
  return loss;
}

TEST(EngineChain, IsTheTrainingPassLayerByLayer) {
  EngineCompute compute(network, 1, whole);
  const double expected = compute.forward(3);
  compute.backward({});
  ComputeClock clock(Stretch(1, 0, 1, 0));
  EngineArithmetic arithmetic(network, 1, clock);
  const auto batches = arithmetic.batches(whole);
  const std::vector<float> parameters(compute.parameters().begin(), compute.parameters().end());
  arithmetic.draw("m", [&](std::span<const float> drawn) { EXPECT_TRUE(std::ranges::equal(drawn, parameters)); });
  std::vector<float> gradients(parameters.size());
  const auto chain = arithmetic.chain({.widths = {6, 128, 11, 3}, .rows = rows, .is_linear_at_end = true});
  EXPECT_NEAR(pass(*chain, *batches, parameters, gradients, 3, 0, rows, false), expected, 1e-7);
  for (std::size_t i = 0; i < gradients.size(); ++i) EXPECT_NEAR(gradients[i], compute.gradients()[i], 1e-6) << i;

  std::ranges::fill(gradients, 0.0F);
  const auto third = arithmetic.chain({.widths = {6, 128, 11, 3}, .rows = rows / 3, .is_linear_at_end = true});
  double loss = 0;
  for (std::uint64_t part = 0; part < 3; ++part)
    loss += pass(*third, *batches, parameters, gradients, 3, part * rows / 3, rows / 3, true);
  EXPECT_NEAR(loss, expected, 1e-7);
  for (std::size_t i = 0; i < gradients.size(); ++i) EXPECT_NEAR(gradients[i], compute.gradients()[i], 1e-6) << i;
}

TEST(EngineChain, ReluFollowsTheLastLayerUnlessItIsTheOutput) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  EngineArithmetic arithmetic(network, 1, clock);
  const std::vector<float> weight{1, -1}, bias{0.5F, 0.25F};
  for (const bool is_linear : {false, true}) {
    const auto chain = arithmetic.chain({.widths = {1, 2}, .rows = 1, .is_linear_at_end = is_linear});
    chain->values(0).values[0] = 2;
    chain->multiply(0, weight.data());
    chain->activate(0, bias.data());
    EXPECT_EQ(chain->values(1).values[0], 2.5F);
    EXPECT_EQ(chain->values(1).values[1], is_linear ? -1.75F : 0.0F);
    chain->gradient(1).values[0] = chain->gradient(1).values[1] = 3;
    std::vector<float> sums{1, 1};
    chain->through_activation(0, sums.data(), true);
    EXPECT_EQ(sums, (std::vector<float>{4, is_linear ? 4.0F : 1.0F}));
  }
}

TEST(EngineChain, APassAllocatesNothingAndItsTimeIsNoted) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  EngineArithmetic arithmetic(network, 1, clock);
  const auto batches = arithmetic.batches(whole);
  const auto chain = arithmetic.chain({.widths = {6, 128, 11, 3}, .rows = rows, .is_linear_at_end = true});
  const auto optimizer = arithmetic.optimizer(numbers_of(chain->layers()));
  std::vector<float> parameters(numbers_of(chain->layers()), 0.01F), gradients(parameters.size());
  const auto step = [&](std::uint64_t index) {
    clock.begin_step(index);
    pass(*chain, *batches, parameters, gradients, index, 0, rows, false);
    optimizer->update(parameters, gradients);
    return clock.end_step();
  };
  step(0);
  const std::uint64_t before = allocation_count();
  EXPECT_GT(step(1), 0.0);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_EQ(optimizer->bytes(), 2 * sizeof(float) * parameters.size());
  EXPECT_GE(chain->bytes(), sizeof(float) * rows * (6 + 128 + 11 + 3 + 128 + 11));
}

}  // namespace
}  // namespace hiple::scaling
