#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "engine/adam.hpp"
#include "reference_training.hpp"

namespace hiple::engine {
namespace {

struct Variant {
  std::string name;
  AdamConfig config;
};

class AdamVariants : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(, AdamVariants,
                         testing::Values(Variant{"adam", {.decoupled = false}},
                                         Variant{"adam_l2_clipped", {.weight_decay = 0.1, .decoupled = false, .clip = 0.5}},
                                         Variant{"adamw", {.weight_decay = 0.1}},
                                         Variant{"adamw_clipped", {.weight_decay = 0.1, .clip = 0.5}},
                                         Variant{"other_betas", {.beta1 = 0.5, .beta2 = 0.9, .epsilon = 1e-3, .clip = 1e9}}),
                         [](const auto& tried) { return tried.param.name; });

TEST_P(AdamVariants, TenStepsAgreeWithTheReference) {
  constexpr std::size_t size = 37;  // no multiple of a vector
  PhiloxStream stream(Philox(1, "adam"), 0, 0, 0);
  std::vector<float> parameters(size), gradients(size);
  for (float& p : parameters) p = static_cast<float>(stream.next_normal());
  std::vector<double> expected(parameters.begin(), parameters.end());
  Adam adam(GetParam().config, size);
  reference::Adam reference(GetParam().config, size);
  for (int step = 1; step <= 10; ++step) {
    for (float& g : gradients) g = static_cast<float>(stream.next_normal());
    const double norm = adam.step(parameters, gradients, 1e-2 / step);
    if (GetParam().config.clip > 0) {
      EXPECT_NEAR(norm, global_norm(gradients), 1e-12);
    } else {
      EXPECT_EQ(norm, 0.0);
    }
    reference.step(expected, {gradients.begin(), gradients.end()}, 1e-2 / step);
  }
  EXPECT_EQ(adam.steps(), 10U);
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(parameters[i], expected[i], 2e-6) << i;
}

TEST(Adam, GoesOnFromItsState) {
  std::vector<float> parameters{1, 2, 3}, gradients{0.5, -1, 2};
  Adam first({}, 3);
  first.step(parameters, gradients, 0.1);
  Adam second({}, 3);
  std::ranges::copy(first.first_moment(), second.first_moment().begin());
  std::ranges::copy(first.second_moment(), second.second_moment().begin());
  second.set_steps(first.steps());
  std::vector<float> other = parameters;
  first.step(parameters, gradients, 0.1);
  second.step(other, gradients, 0.1);
  EXPECT_EQ(parameters, other);
}

TEST(Adam, ThreadsChangeNoBit) {
  constexpr std::size_t size = 5 * 16384 + 13;  // no multiple of a cache line, nor of a vector
  std::vector<float> gradients(size), alone(size), shared(size);
  for (std::size_t i = 0; i < size; ++i) {
    gradients[i] = static_cast<float>(static_cast<int>(i % 97) - 48) * 1e-3F;
    alone[i] = shared[i] = static_cast<float>(i % 13) * 0.1F;
  }
  const AdamConfig config{.weight_decay = 0.01, .clip = 0.5};
  Adam one(config, size), three(config, size, 3);
  for (int step = 0; step < 3; ++step) {
    one.step(alone, gradients, 1e-2);
    three.step(shared, gradients, 1e-2);
  }
  EXPECT_EQ(alone, shared);
  EXPECT_NE(alone.back(), 0.1F * static_cast<float>((size - 1) % 13)) << "the last share was updated";
}

TEST(Adam, ZeroGradientsLeaveZerosAlone) {
  std::vector<float> parameters(20), gradients(20);
  Adam adam({.weight_decay = 0.1, .clip = 1.0}, 20);
  adam.step(parameters, gradients, 0.1);
  EXPECT_EQ(parameters, std::vector<float>(20));
}

TEST(Adam, AGradientThatIsNotANumberShows) {
  std::vector<float> parameters(20, 1.0F), gradients(20, 1.0F);
  gradients[3] = std::numeric_limits<float>::quiet_NaN();
  Adam adam({.clip = 1.0}, 20);
  EXPECT_TRUE(std::isnan(adam.step(parameters, gradients, 0.1)));
  EXPECT_TRUE(std::isnan(parameters[3]));
}

TEST(Adam, RefusesBuffersOfAnotherSize) {
  std::vector<float> parameters(4), gradients(3);
  Adam adam({}, 4);
  EXPECT_THROW(adam.step(parameters, gradients, 0.1), Error);
}

TEST(GlobalNorm, IsThatOfAllValues) {
  std::vector<float> values(1001, 2.0F);
  EXPECT_DOUBLE_EQ(global_norm(values), std::sqrt(4004.0));
  values[0] = 1e30F;  // its square is no float
  EXPECT_NEAR(global_norm(values) / 1e30, 1.0, 1e-6);
  EXPECT_EQ(global_norm({}), 0.0);
}

}  // namespace
}  // namespace hiple::engine
