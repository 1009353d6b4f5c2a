#include "data/milling_recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/philox.hpp"

namespace hiple::data {

namespace {

/// What a random stream of a campaign is for.
enum class Use : std::uint32_t { air, process, quality, torque, speed, tool, random };

double one_decimal(double value) { return std::round(value * 10) / 10; }

/// A random walk normalised by rank: standard normal values in the order in which the walk rises and falls.
std::vector<double> normalised_walk(PhiloxStream random, std::size_t rows) {
  std::vector<double> walk(rows), values(rows);
  double position = 0;
  for (double& point : walk) point = position += random.next_normal();
  for (double& value : values) value = random.next_normal();
  std::sort(values.begin(), values.end());
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return walk[a] != walk[b] ? walk[a] < walk[b] : a < b; });
  for (std::size_t rank = 0; rank < rows; ++rank) walk[order[rank]] = values[rank];
  return walk;
}

/// The tool in the machine.
class Tool {
 public:
  Tool(const MillingRecipe& recipe, PhiloxStream random) : recipe_(&recipe), random_(random) { renew(); }

  /// Uses the tool for a cycle: sets its wear, and whether it fails in the end.
  void work(MillingCycle& cycle) {
    constexpr std::array<double, 3> minutes = {2, 3, 5};
    const double added = minutes[static_cast<std::size_t>(cycle.type)];
    cycle.wear = wear_;
    if (wear_ < life_ && wear_ + added <= recipe_->window_end) {
      wear_ += added;
      return;
    }
    cycle.tool_wear = random_.next_uniform() < recipe_->tool_fails;
    renew();
  }

 private:
  void renew() {
    wear_ = 0;
    life_ = std::clamp(recipe_->tool_life + recipe_->tool_life_spread * random_.next_normal(), recipe_->window_begin,
                       recipe_->window_end);
  }

  const MillingRecipe* recipe_;
  PhiloxStream random_;
  double wear_ = 0, life_ = 0;
};

MillingCycle::Type draw_type(const MillingRecipe& recipe, PhiloxStream& random) {
  const double share = random.next_uniform();
  if (share < recipe.low_share) return MillingCycle::Type::low;
  return share < recipe.low_share + recipe.medium_share ? MillingCycle::Type::medium : MillingCycle::Type::high;
}

double draw_torque(PhiloxStream& random) {
  while (true) {
    const double torque = one_decimal(40 + 10 * random.next_normal());
    if (torque > 0) return torque;
  }
}

double draw_speed(const MillingRecipe& recipe, double torque, PhiloxStream& random) {
  const double speed = recipe.base_speed + recipe.power_term / torque + recipe.speed_noise * random.next_normal();
  return std::round(speed > recipe.fast ? recipe.idle_speed - recipe.idle_slope * torque : speed);
}

}  // namespace

void set_physical_failures(MillingCycle& cycle) {
  constexpr std::array<double, 3> strain_limits = {11000, 12000, 13000};
  const double watts = cycle.torque * cycle.speed * 2 * std::numbers::pi / 60;
  cycle.heat = cycle.process - cycle.air < 8.6 && cycle.speed < 1380;
  cycle.power = watts < 3500 || watts > 9000;
  cycle.overstrain = cycle.wear * cycle.torque > strain_limits[static_cast<std::size_t>(cycle.type)];
}

std::vector<MillingCycle> make_campaign(const MillingRecipe& recipe, std::uint64_t seed, std::uint32_t campaign,
                                        std::size_t rows) {
  const Philox generator(seed, "milling");
  const auto stream = [&](Use use) { return PhiloxStream(generator, campaign, 0, static_cast<std::uint32_t>(use)); };
  const std::vector<double> air = normalised_walk(stream(Use::air), rows);
  const std::vector<double> process = normalised_walk(stream(Use::process), rows);
  PhiloxStream quality = stream(Use::quality), torque = stream(Use::torque), speed = stream(Use::speed);
  PhiloxStream random = stream(Use::random);
  Tool tool(recipe, stream(Use::tool));
  std::vector<MillingCycle> cycles(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    MillingCycle& cycle = cycles[row];
    cycle.type = draw_type(recipe, quality);
    cycle.air = one_decimal(300 + 2 * air[row]);
    cycle.process = one_decimal(300 + 2 * air[row] + 10 + process[row]);
    cycle.torque = draw_torque(torque);
    cycle.speed = draw_speed(recipe, cycle.torque, speed);
    tool.work(cycle);
    set_physical_failures(cycle);
    cycle.random = random.next_uniform() < recipe.random_failure;
  }
  return cycles;
}

}  // namespace hiple::data
