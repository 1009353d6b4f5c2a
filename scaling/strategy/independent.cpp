#include "scaling/strategy/independent_plan.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

std::uint64_t engine_count(const Settings& settings, int ranks) {
  return settings.engines > 0 ? settings.engines : static_cast<std::uint64_t>(ranks);
}

std::uint64_t rows(const Settings& settings, int ranks) { return settings.batch / engine_count(settings, ranks); }

/// Engines that share no objective: each rank trains its own, one after the other, and says nothing to anybody.
class Independent : public Strategy {
 public:
  Independent(const Settings& settings, Arithmetic& arithmetic, int ranks, int rank) {
    const std::uint64_t own = rows(settings, ranks);
    const std::vector<std::uint64_t> steps = engine_steps(engine_count(settings, ranks), settings.steps, settings.spread);
    const std::vector<std::vector<std::size_t>> placed = place_engines(steps, ranks);
    std::uint64_t first = 0;
    for (const std::size_t engine : placed.at(static_cast<std::size_t>(rank))) {
      const std::string name = "engine" + std::to_string(engine);
      engines_.push_back(arithmetic.compute({.name = name, .rows = own, .batch = own, .steps = steps[engine]}));
      models_.push_back({name, first, steps[engine], lay_out(settings.widths), engines_.back()->parameters()});
      first += steps[engine];
    }
  }

  void start() override {
    for (const auto& engine : engines_) engine->start();
    current_ = 0;
  }

  double step(std::uint64_t index) override {
    while (index >= models_[current_].first_step + models_[current_].steps) ++current_;
    Compute& engine = *engines_[current_];
    const double loss = engine.forward(index - models_[current_].first_step);
    engine.backward({});
    engine.update();
    return loss;
  }

  std::vector<TrainedModel> models() override { return models_; }
  [[nodiscard]] Held held() const override {
    Held held;
    for (const auto& engine : engines_) held += engine->held();
    return held;
  }

 private:
  std::vector<std::unique_ptr<Compute>> engines_;
  std::vector<TrainedModel> models_;
  std::size_t current_ = 0;
};

void check(const Settings& settings, int ranks, Problems& problems) {
  const std::uint64_t engines = engine_count(settings, ranks);
  if (settings.batch % engines != 0)
    problems.add(Place{"--batch"},
                 std::to_string(settings.batch) + " rows do not divide among " + std::to_string(engines) + " engines",
                 "every engine's step has as many rows as the others'", "give a multiple of " + std::to_string(engines));
  if (settings.spread > 1 && engines < 2)
    problems.add(Place{"--spread"}, "one engine has no spread of costs", {}, "give --engines 2 or more, or --spread 1");
}

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<Independent>(settings, arithmetic, world.size(), world.rank());
}

}  // namespace

StrategyKind hiple_kind() {
  return {"hiple", "independent engines: no objective is shared, and nothing is said", {}, check, rows, make};
}

}  // namespace hiple::scaling
