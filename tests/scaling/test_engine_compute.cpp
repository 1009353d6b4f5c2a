#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "scaling/measure/engine_compute.hpp"

namespace hiple::scaling {
namespace {

engine::NetworkShape shape() { return {.inputs = 6, .embeddings = {}, .hidden = {11}, .outputs = 3}; }

Share whole(const std::string& name, std::uint64_t rows) { return {.name = name, .rows = rows, .batch = rows, .steps = 10}; }

std::vector<float> trained(EngineCompute& compute, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    compute.forward(i);
    compute.backward({});
    compute.update();
  }
  return {compute.parameters().begin(), compute.parameters().end()};
}

TEST(EngineCompute, SharesOfABatchAddUpToTheWhole) {
  EngineCompute all(shape(), 1, whole("m", 12));
  const double loss = all.forward(3);
  all.backward({});
  std::vector<double> sum(all.gradients().size());
  double parts = 0;
  for (std::uint64_t rank = 0; rank < 3; ++rank) {
    EngineCompute part(shape(), 1, {.name = "m", .first_row = 4 * rank, .rows = 4, .batch = 12, .steps = 10});
    parts += part.forward(3);
    part.backward([](std::size_t) {});
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(part.gradients()[i]);
  }
  EXPECT_NEAR(parts, loss, 1e-6);
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(sum[i], all.gradients()[i], 1e-6) << i;
}

TEST(EngineCompute, StartGoesBackToTheBeginning) {
  EngineCompute compute(shape(), 1, whole("m", 8));
  const std::vector<float> first = trained(compute, 5);
  compute.start();
  EXPECT_EQ(trained(compute, 5), first);
  EXPECT_NE(trained(compute, 5), first);
}

TEST(EngineCompute, NameAndSeedSettleWeightsAndData) {
  EngineCompute one(shape(), 1, whole("a", 8)), same(shape(), 1, whole("a", 8)), other(shape(), 1, whole("b", 8)),
      seed(shape(), 2, whole("a", 8));
  const std::vector<float> expected = trained(one, 3);
  EXPECT_EQ(trained(same, 3), expected);
  EXPECT_NE(trained(other, 3), expected);
  EXPECT_NE(trained(seed, 3), expected);
}

TEST(EngineCompute, UpdatesOnlyItsRange) {
  EngineCompute all(shape(), 1, whole("m", 8));
  const std::size_t size = all.parameters().size();
  Share half = whole("m", 8);
  half.updated = Range{16, size - 16};
  EngineCompute part(shape(), 1, half);
  const std::vector<float> before(part.parameters().begin(), part.parameters().end());
  const std::vector<float> expected = trained(all, 1), found = trained(part, 1);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(found[i], i < 16 ? before[i] : expected[i]) << i;
}

TEST(EngineCompute, LayersFollowOneAnotherAndPlacesEndAtZero) {
  EngineCompute compute(shape(), 1, whole("m", 8));
  std::size_t end = 0;
  for (const Range& layer : compute.layers()) {
    EXPECT_EQ(layer.begin, end);
    end += layer.size;
  }
  EXPECT_EQ(end, compute.parameters().size());
  compute.forward(0);
  std::vector<std::size_t> places;
  compute.backward([&](std::size_t begin) { places.push_back(begin); });
  EXPECT_EQ(places, (std::vector<std::size_t>{compute.layers()[1].begin, 0}));
}

TEST(EngineCompute, TheTableHas16MebibytesAtMost) {
  EXPECT_EQ(table_batches(20, 64, 32), 20U);
  EXPECT_EQ(table_batches(1000000, 64, 32), 2048U);
  EXPECT_EQ(table_batches(1000000, 1U << 20U, 64), 1U);
}

}  // namespace
}  // namespace hiple::scaling
