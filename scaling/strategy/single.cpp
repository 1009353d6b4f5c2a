#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

/// The monolith on one rank: what the strategies that share an objective must equal.
class Single : public Strategy {
 public:
  Single(const Settings& settings, Arithmetic& arithmetic)
      : steps_(settings.steps),
        layers_(lay_out(settings.widths)),
        compute_(
            arithmetic.compute({.name = "monolith", .rows = settings.batch, .batch = settings.batch, .steps = settings.steps})) {}

  void start() override { compute_->start(); }
  double step(std::uint64_t index) override {
    const double loss = compute_->forward(index);
    compute_->backward({});
    compute_->update();
    return loss;
  }
  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, layers_, compute_->parameters()}}; }
  [[nodiscard]] Held held() const override { return compute_->held(); }

 private:
  std::uint64_t steps_;
  std::vector<LayerPlace> layers_;
  std::unique_ptr<Compute> compute_;
};

void check(const Settings&, int ranks, Problems& problems) {
  if (ranks != 1)
    problems.add(Place{"--strategy"}, "single on " + std::to_string(ranks) + " ranks", "it is the monolith: one rank trains it",
                 "start one process, or choose --strategy ddp");
}

std::uint64_t rows(const Settings& settings, int) { return settings.batch; }

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator&) {
  return std::make_unique<Single>(settings, arithmetic);
}

}  // namespace

StrategyKind single_kind() { return {"single", "the monolith on one rank", {}, check, rows, make}; }

}  // namespace hiple::scaling
