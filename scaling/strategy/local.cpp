#include <optional>

#include "scaling/strategy/batch_share.hpp"
#include "scaling/strategy/outer_optimizer.hpp"

namespace hiple::scaling {

namespace {

/// Independent steps with a rare average (Stich, "Local SGD Converges Fast and Communicates Little", ICLR 2019): every rank
/// trains the same model on rows of its own, and every few steps all take the mean of their parameters. Adam's moments stay each
/// rank's own, as in DiLoCo, whose outer optimizer is the variant `diloco`. After the last step there is an average too, so that
/// one model remains.
class Local : public Strategy {
 public:
  Local(const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : world_(world),
        steps_(settings.steps),
        period_(settings.period),
        layers_(lay_out(settings.widths)),
        compute_(arithmetic.compute(share(settings, world))) {
    if (settings.variant == "diloco") outer_.emplace(compute_->parameters().size());
  }

  void start() override {
    compute_->start();
    world_.broadcast(compute_->parameters());
    if (outer_) outer_->reset(compute_->parameters());
  }

  double step(std::uint64_t index) override {
    const double loss = compute_->forward(index);
    compute_->backward({});
    compute_->update();
    if ((index + 1) % period_ == 0 || index + 1 == steps_) average();
    return loss / world_.size();  // the ranks' parts add up to the mean
  }

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, layers_, compute_->parameters()}}; }

  [[nodiscard]] Held held() const override {
    Held held = compute_->held();
    if (outer_) held.optimizer += outer_->bytes();
    return held;
  }

 private:
  /// The rows of data parallel training, but the loss is the mean over this rank's.
  static Share share(const Settings& settings, const Communicator& world) {
    Share share = batch_share(settings, world);
    share.divisor = share.rows;
    return share;
  }

  void average() {
    const std::span<float> parameters = compute_->parameters();
    const float weight = 1.0F / static_cast<float>(world_.size());
    for (float& value : parameters) value *= weight;
    world_.sum(parameters);
    if (outer_) outer_->step(parameters);
  }

  Communicator& world_;
  std::uint64_t steps_, period_;
  std::vector<LayerPlace> layers_;
  std::unique_ptr<Compute> compute_;
  std::optional<OuterOptimizer> outer_;
};

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<Local>(settings, arithmetic, world);
}

}  // namespace

StrategyKind localsgd_kind() {
  return {"localsgd",
          "independent steps with a rare average of all parameters",
          {"average", "diloco"},
          check_rows_divide,
          batch_share_rows,
          make};
}

}  // namespace hiple::scaling
