#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mpi/session.hpp"
#include "scaling/measure/engine_arithmetic.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {
namespace {

/// What a strategy would have its optimizer update.
struct Probe {
  std::span<float> parameters;
  std::vector<float> gradients;
};

/// Notes parameters and gradients, and leaves the parameters to the test.
class NotingOptimizer : public Optimizer {
 public:
  explicit NotingOptimizer(Probe& probe) : probe_(probe) {}
  void reset() override {}
  void update(std::span<float> parameters, std::span<const float> gradients) override {
    probe_.parameters = parameters;
    probe_.gradients.assign(gradients.begin(), gradients.end());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  Probe& probe_;
};

class NotingArithmetic : public EngineArithmetic {
 public:
  using EngineArithmetic::EngineArithmetic;
  std::unique_ptr<Optimizer> optimizer(std::size_t) override {
    probes.push_back(std::make_unique<Probe>());
    return std::make_unique<NotingOptimizer>(*probes.back());
  }
  std::vector<std::unique_ptr<Probe>> probes;
};

/// Places of the largest gradients of a buffer: there differences say most.
std::vector<std::size_t> largest(const std::vector<float>& gradients, std::size_t count) {
  std::vector<std::size_t> places(gradients.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) { return std::abs(gradients[a]) > std::abs(gradients[b]); });
  places.resize(std::min(count, places.size()));
  return places;
}

/// All parameters of the strategy at once and one by one: the loss changes as the gradient says.
void check(const Settings& settings, Communicator& world) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  const engine::NetworkShape shape{.inputs = 6, .embeddings = {}, .hidden = {16, 24, 16}, .outputs = 3};
  NotingArithmetic arithmetic(shape, 3, clock);
  const auto strategy = moe_kind().make(settings, arithmetic, world);
  strategy->start();
  clock.begin_step(0);
  strategy->step(0);
  ASSERT_EQ(arithmetic.probes.size(), 2U);
  std::size_t checked = 0;
  for (const auto& probe : arithmetic.probes) {
    const std::vector<float> gradients = probe->gradients;
    for (const std::size_t i : largest(gradients, 150)) {
      constexpr float distance = 1e-3F;
      const float before = probe->parameters[i];
      probe->parameters[i] = before + distance;
      const double above = strategy->step(0);
      probe->parameters[i] = before - distance;
      const double below = strategy->step(0);
      probe->parameters[i] = before;
      const double difference = (above - below) / (2 * static_cast<double>(distance));
      EXPECT_NEAR(gradients[i], difference, 5e-4 + 0.05 * std::abs(static_cast<double>(gradients[i]))) << i;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 300U);
}

// As a process that nobody launched. The router's choices do not change within the distance for these seeds and sizes.
TEST(Mixture, GradientIsThatOfDifferences) {
  mpi::Session session;
  Communicator world;
  Settings settings{
      .widths = {6, 16, 24, 16, 3}, .batch = 32, .steps = 4, .experts = 4, .chosen = 2, .capacity = 1.25, .period = 1};
  check(settings, world);
  settings.chosen = 1;
  check(settings, world);
  settings.chosen = 3;
  settings.capacity = 0.7;  // many find no room
  check(settings, world);
}

}  // namespace
}  // namespace hiple::scaling
