#include "plan/plan.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/error.hpp"

namespace hiple {

namespace {

std::vector<std::size_t> longest_first(const std::vector<EngineCost>& engines) {
  std::vector<std::size_t> order(engines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (engines[a].cost != engines[b].cost) return engines[a].cost > engines[b].cost;
    return engines[a].name < engines[b].name;
  });
  return order;
}

}  // namespace

Plan make_plan(const std::vector<EngineCost>& engines, int ranks) {
  if (ranks < 1) throw Error("a plan for " + std::to_string(ranks) + " ranks");
  for (const EngineCost& engine : engines) {
    if (!(engine.cost >= 0)) throw Error("engine " + engine.name + ": a cost that is no number, or under 0");
  }
  Plan plan;
  plan.ranks = ranks;
  plan.integrator = ranks - 1;
  plan.engines.resize(static_cast<std::size_t>(ranks));
  using Load = std::tuple<double, std::size_t, std::size_t>;  // by load, then by number of engines, then by rank
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(std::max(1, ranks - 1)); ++rank) least.emplace(0.0, 0, rank);
  for (const std::size_t engine : longest_first(engines)) {
    const auto [load, count, rank] = least.top();
    least.pop();
    plan.engines[rank].push_back(engine);
    least.emplace(load + engines[engine].cost, count + 1, rank);
  }
  return plan;
}

}  // namespace hiple
