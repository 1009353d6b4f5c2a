#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "scaling/measure/stretch.hpp"

namespace hiple::scaling {
namespace {

TEST(Stretch, WithoutJitterItIsTheFactor) {
  const Stretch stretch(1, 0, 2.5, 0);
  EXPECT_EQ(stretch.of_step(0), 2.5);
  EXPECT_EQ(stretch.of_step(99), 2.5);
}

TEST(Stretch, JitterIsAFunctionOfSeedRankAndStep) {
  const Stretch stretch(1, 0, 1, 0.05);
  EXPECT_EQ(stretch.of_step(7), Stretch(1, 0, 1, 0.05).of_step(7));
  EXPECT_NE(stretch.of_step(7), stretch.of_step(8));
  EXPECT_NE(stretch.of_step(7), Stretch(2, 0, 1, 0.05).of_step(7));
  EXPECT_NE(stretch.of_step(7), Stretch(1, 1, 1, 0.05).of_step(7));
}

TEST(Stretch, JitterHasItsMean) {
  const Stretch stretch(1, 3, 2, 0.05);
  double sum = 0;
  for (std::uint64_t step = 0; step < 20000; ++step) {
    ASSERT_GE(stretch.of_step(step), 2.0);
    sum += stretch.of_step(step);
  }
  EXPECT_NEAR(sum / 20000, 2 * 1.05, 0.003);  // four standard deviations of the mean
}

TEST(ComputeClock, AStragglerSleepsForTheRest) {
  ComputeClock clock(Stretch(1, 0, 3, 0));
  const auto start = std::chrono::steady_clock::now();
  clock.begin_step(0);
  clock.ran(0.002);
  clock.ran(0.001);
  EXPECT_GE(clock.end_step(), 0.0089);  // what is left of the sleep may be put off
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(5900));
}

TEST(ComputeClock, WithoutStretchTheTimeIsWhatItIs) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  clock.begin_step(0);
  clock.ran(0.25);
  clock.ran(0.5);
  EXPECT_EQ(clock.end_step(), 0.75);
  clock.begin_step(1);
  EXPECT_EQ(clock.end_step(), 0.0);
}

/// Notes the hooks it was given.
class Fake : public Compute {
 public:
  [[nodiscard]] std::span<const Range> layers() const override { return {}; }
  std::span<float> parameters() override { return values; }
  std::span<float> gradients() override { return values; }
  void start() override {}
  double forward(std::uint64_t step) override { return static_cast<double>(step) + 0.5; }
  void backward(const CompleteHook& complete_from) override {
    for (const std::size_t begin : {9U, 4U, 0U})
      if (complete_from) complete_from(begin);
  }
  void update() override { values.push_back(1); }
  [[nodiscard]] Held held() const override { return {.parameters = 7}; }

  std::vector<float> values;
};

TEST(TimedCompute, PassesEverythingOn) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  auto fake = std::make_unique<Fake>();
  Fake& inner = *fake;
  const auto compute = timed(std::move(fake), clock);
  EXPECT_EQ(compute->forward(3), 3.5);
  std::vector<std::size_t> places;
  compute->backward([&](std::size_t begin) { places.push_back(begin); });
  compute->backward({});
  compute->update();
  EXPECT_EQ(places, (std::vector<std::size_t>{9, 4, 0}));
  EXPECT_EQ(inner.values.size(), 1U);
  EXPECT_EQ(compute->held().parameters, 7U);
}

}  // namespace
}  // namespace hiple::scaling
