#include "scaling/strategy/buckets.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

std::uint64_t rows(const Settings& settings, int ranks) { return settings.batch / static_cast<std::uint64_t>(ranks); }

/// Data parallel training (Li et al., "PyTorch Distributed", VLDB 2020): every rank computes the gradient of its rows, and the
/// sum over all ranks is what each one's optimizer sees, so that the parameters stay equal.
class DataParallel : public Strategy {
 public:
  DataParallel(const Settings& settings, const ComputeSource& source, Communicator& world)
      : world_(world),
        steps_(settings.steps),
        overlap_(settings.variant == "overlap"),
        compute_(source(share(settings, world))),
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

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, compute_.get()}}; }

 private:
  static Share share(const Settings& settings, const Communicator& world) {
    const std::uint64_t own = rows(settings, world.size());
    return {.name = "monolith",
            .first_row = own * static_cast<std::uint64_t>(world.rank()),
            .rows = own,
            .batch = settings.batch,
            .steps = settings.steps};
  }

  void gradients_complete_from(std::size_t begin) {
    for (; next_ < buckets_.size() && buckets_[next_].begin >= begin; ++next_)
      sums_.start(compute_->gradients().subspan(buckets_[next_].begin, buckets_[next_].size));
    if (next_ < buckets_.size()) sums_.progress();  // behind the last one nothing is computed any more: wait() looks by itself
  }

  Communicator& world_;
  std::uint64_t steps_;
  bool overlap_;
  std::unique_ptr<Compute> compute_;
  std::vector<Range> buckets_;
  PendingSums sums_;
  std::size_t next_ = 0;  // bucket that is not complete yet
};

void check(const Settings& settings, int ranks, Problems& problems) {
  if (settings.batch % static_cast<std::uint64_t>(ranks) != 0)
    problems.add(Place{"--batch"},
                 std::to_string(settings.batch) + " rows do not divide among " + std::to_string(ranks) + " ranks",
                 "every rank trains on as many rows as the others", "give a multiple of " + std::to_string(ranks));
  constexpr std::uint64_t smallest = 1024;
  if (settings.bucket_bytes < smallest)
    problems.add(Place{"--bucket"}, "a bucket of " + std::to_string(settings.bucket_bytes) + " bytes is too small",
                 "every bucket is a message of its own", "give 1024 bytes or more; the default is 26214400");
}

std::unique_ptr<Strategy> make(const Settings& settings, const ComputeSource& source, Communicator& world) {
  return std::make_unique<DataParallel>(settings, source, world);
}

}  // namespace

StrategyKind ddp_kind() {
  return {"ddp",
          "data parallel: all ranks share one objective, gradients are summed in every step",
          {"overlap", "naive"},
          check,
          rows,
          make};
}

}  // namespace hiple::scaling
