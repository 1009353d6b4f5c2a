#include <gtest/gtest.h>

#include "allocations.hpp"
#include "scaling/measure/engine_compute.hpp"
#include "scaling/measure/stretch.hpp"

namespace hiple::scaling {
namespace {

TEST(Allocations, AStepMakesNone) {
  const engine::NetworkShape shape{.inputs = 70, .embeddings = {}, .hidden = {80, 90}, .outputs = 4};
  ComputeClock clock(Stretch(1, 1, 1.5, 0.1));
  const auto compute =
      timed(std::make_unique<EngineCompute>(shape, 1, Share{.name = "m", .rows = 64, .batch = 64, .steps = 5}), clock);
  std::size_t places = 0;
  const CompleteHook hook = [&places](std::size_t) { ++places; };
  const auto step = [&](std::uint64_t index) {
    clock.begin_step(index);
    compute->forward(index);
    compute->backward(hook);
    compute->update();
    clock.end_step();
  };
  step(0);
  const std::uint64_t before = allocation_count();
  for (std::uint64_t i = 1; i < 5; ++i) step(i);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_EQ(places, 15U);
}

}  // namespace
}  // namespace hiple::scaling
