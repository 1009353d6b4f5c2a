#include "scaling/strategy/batch_share.hpp"
#include "scaling/strategy/buckets.hpp"
#include "scaling/strategy/pending.hpp"

namespace hiple::scaling {

namespace {

/// Data parallel training (Li et al., "PyTorch Distributed", VLDB 2020): every rank computes the gradient of its rows, and the
/// sum over all ranks is what each one's optimizer sees, so that the parameters stay equal.
class DataParallel : public Strategy {
 public:
  DataParallel(const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : world_(world),
        steps_(settings.steps),
        overlap_(settings.variant == "overlap"),
        layers_(lay_out(settings.widths)),
        compute_(arithmetic.compute(batch_share(settings, world))),
        buckets_(make_buckets(compute_->gradients().size(), settings.bucket_bytes)),
        sums_(world, overlap_ ? buckets_.size() : 0) {}

  void start() override {
    compute_->start();
    world_.broadcast(compute_->parameters());
  }

  double step(std::uint64_t index) override {
    const double loss = compute_->forward(index);
    if (overlap_) {
      next_ = 0;
      compute_->backward([this](std::size_t begin) { gradients_complete_from(begin); });
      sums_.wait();
    } else {
      compute_->backward({});
      world_.sum(compute_->gradients());
    }
    compute_->update();
    return loss;
  }

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, layers_, compute_->parameters()}}; }
  [[nodiscard]] Held held() const override { return compute_->held(); }

 private:
  void gradients_complete_from(std::size_t begin) {
    for (; next_ < buckets_.size() && buckets_[next_].begin >= begin; ++next_)
      sums_.sum(compute_->gradients().subspan(buckets_[next_].begin, buckets_[next_].size));
    if (next_ < buckets_.size()) sums_.progress();  // behind the last one nothing is computed any more: wait() looks by itself
  }

  Communicator& world_;
  std::uint64_t steps_;
  bool overlap_;
  std::vector<LayerPlace> layers_;
  std::unique_ptr<Compute> compute_;
  std::vector<Range> buckets_;
  Pending sums_;
  std::size_t next_ = 0;  // bucket that is not complete yet
};

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<DataParallel>(settings, arithmetic, world);
}

}  // namespace

StrategyKind ddp_kind() {
  return {"ddp",
          "data parallel: all ranks share one objective, gradients are summed in every step",
          {"overlap", "naive"},
          check_batch_share,
          batch_share_rows,
          make,
          true};
}

}  // namespace hiple::scaling
