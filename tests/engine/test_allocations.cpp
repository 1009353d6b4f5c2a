#include <gtest/gtest.h>

#include "allocations.hpp"
#include "engine/adam.hpp"
#include "engine/loss.hpp"
#include "network_case.hpp"

namespace hiple::engine {

namespace {

struct Tried {
  std::int64_t outputs = 4;
  bool series = false;
};

class Allocations : public testing::TestWithParam<Tried> {};

INSTANTIATE_TEST_SUITE_P(, Allocations, testing::Values(Tried{}, Tried{1}, Tried{4, true}));

TEST_P(Allocations, AStepMakesNone) {
  NetworkShape shape = GetParam().series ? small_series_shape() : small_shape();
  shape.dropout = 0.3;
  shape.activation = Activation::gelu;
  shape.outputs = GetParam().outputs;
  NetworkCase tried(shape, 70);
  const std::vector<std::int32_t> labels(70);
  TrainingPass pass(tried.network, 70, tried.generator);
  JudgingPass judging(tried.network, 70);
  Adam adam({.clip = 1.0}, tried.network.layout().size);
  std::uint64_t calls = 0;
  const LayerHook hook = [&calls](std::size_t) { ++calls; };
  const auto step = [&](std::uint32_t index, std::size_t rows) {
    pass.load(tried.examples(), std::span(tried.rows).first(rows));
    const auto logits = pass.forward(0, index, hook);
    softmax_cross_entropy(logits, std::span(labels).first(rows), {}, static_cast<double>(rows), pass.output_gradient());
    pass.backward(hook);
    adam.step(tried.network.parameters(), tried.network.gradients(), 1e-3);
    judging.forward(tried.examples(), tried.rows);
  };
  const std::uint64_t before = allocation_count();
  for (std::uint32_t i = 0; i < 5; ++i) step(i, i == 4 ? 3 : 70);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_EQ(calls, 5 * 2 * tried.network.layout().layers.size());
}

}  // namespace
}  // namespace hiple::engine
