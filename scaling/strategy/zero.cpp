#include <algorithm>
#include <array>

#include "scaling/strategy/batch_share.hpp"
#include "scaling/strategy/blocks.hpp"
#include "scaling/strategy/pending.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

/// Sums under way at a time. Each has a bucket's gradients and room for what is received.
constexpr std::size_t sums_at_a_time = 3;
/// Blocks of gathered parameters at a time: the one that is computed with, and the next one.
constexpr std::size_t blocks_at_a_time = 2;

/// Data parallel training that does not hold everything on every rank (Rajbhandari et al., "ZeRO: Memory Optimizations Toward
/// Training Trillion Parameter Models", SC 2020). Each rank owns its part of every bucket. Stage 1: its moments alone exist on
/// it; stage 2: the gradients too, a bucket's being gone as soon as it is summed; stage 3: the parameters too, which are gathered
/// block by block before they are used, on the way there and on the way back.
///
/// What the authors' systems overlap is overlapped: the sums run beside the rest of backward, the gathering of updated parameters
/// (stages 1 and 2) beside the next step's forward, and that of the next block (stage 3) beside the present one's computing.
class Zero : public Strategy {
 public:
  Zero(int stage, const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : stage_(stage),
        world_(world),
        arithmetic_(arithmetic),
        steps_(settings.steps),
        rows_(settings.batch / static_cast<std::uint64_t>(world.size())),
        chain_(arithmetic.chain({.widths = settings.widths, .rows = static_cast<std::int64_t>(rows_), .is_linear_at_end = true})),
        batches_(arithmetic.batches(batch_share(settings, world))),
        layers_(chain_->layers()),
        division_(divide_layers(layers_, settings.bucket_bytes)) {
    held_.activations = chain_->bytes();
    held_.data = batches_->bytes();
    place_buckets();
    allocate_buffers();
    sums_.reserve(sums_at_a_time);
    for (std::size_t i = 0; i < sums_at_a_time; ++i) {
      sums_.emplace_back(world, largest_bucket());
      held_.exchange += sums_.back().bytes();
    }
    gathers_.reserve(division_.blocks.size());
    for (const Block& block : division_.blocks) gathers_.emplace_back(world, block.end_bucket - block.first_bucket);
  }

  void start() override {
    for (Pending& gather : gathers_) gather.wait();
    arithmetic_.draw("monolith", [this](std::span<const float> initial) {
      if (stage_ < 3) std::ranges::copy(initial, parameters_.data());
      for (std::size_t i = 0; i < buckets_.size(); ++i) {
        const Range part = own_part(i);
        if (stage_ == 3) std::ranges::copy(initial.subspan(part.begin, part.size), own_parameters(i).begin());
        buckets_[i].optimizer->reset();
      }
    });
  }

  double step(std::uint64_t index) override {
    const double loss = forward(index);
    backward();
    update();
    if (index + 1 == steps_)  // nothing of the training is left for later
      for (Pending& gather : gathers_) gather.wait();
    return loss;
  }

  std::vector<TrainedModel> models() override {
    const bool is_whole = stage_ < 3 || !collected_.empty();
    std::span<const float> all;
    if (is_whole) all = stage_ < 3 ? std::span<const float>(parameters_.data(), parameters_.size()) : collected_;
    return {{"monolith", 0, steps_, layers_, all}};
  }

  void collect() override {
    if (stage_ < 3) return;
    collected_.resize(numbers_of(layers_));
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      const Range range = division_.buckets[i].range;
      world_.gather_all(own_parameters(i), std::span(collected_).subspan(range.begin, range.size), buckets_[i].parts);
    }
  }

  [[nodiscard]] Held held() const override { return held_; }

 private:
  struct OwnBucket {
    Parts parts;
    std::size_t own = 0;  // where this rank's part is in what it holds of such buffers
    std::unique_ptr<Optimizer> optimizer;
  };

  /// This rank's part of a bucket, in the flat buffers.
  [[nodiscard]] Range own_part(std::size_t bucket) const {
    const Range part = buckets_[bucket].parts.of(world_.rank());
    return {division_.buckets[bucket].range.begin + part.begin, part.size};
  }
  [[nodiscard]] std::span<float> own_parameters(std::size_t bucket) {
    const Range part = own_part(bucket);
    return {parameters_.data() + (stage_ < 3 ? part.begin : buckets_[bucket].own), part.size};
  }
  [[nodiscard]] std::span<float> own_gradients(std::size_t bucket) {
    const Range part = own_part(bucket);
    return {gradients_.data() + (stage_ < 2 ? part.begin : buckets_[bucket].own), part.size};
  }
  /// Where a bucket's gradients are computed.
  [[nodiscard]] float* bucket_gradients(std::size_t bucket) {
    if (stage_ < 2) return gradients_.data() + division_.buckets[bucket].range.begin;
    return bucket_work_[bucket % sums_at_a_time].data();
  }
  /// The parameters of a block.
  [[nodiscard]] float* block_parameters(std::size_t block) {
    if (stage_ < 3) return parameters_.data() + division_.blocks[block].range.begin;
    return block_work_[block % blocks_at_a_time].data();
  }
  [[nodiscard]] std::size_t largest_bucket() const {
    std::size_t largest = 0;
    for (const Bucket& bucket : division_.buckets) largest = std::max(largest, bucket.range.size);
    return largest;
  }
  [[nodiscard]] std::size_t largest_block() const {
    std::size_t largest = 0;
    for (const Block& block : division_.blocks) largest = std::max(largest, block.range.size);
    return largest;
  }

  void place_buckets() {
    for (const Bucket& bucket : division_.buckets) {
      OwnBucket& own = buckets_.emplace_back();
      own.parts = divide(bucket.range.size, world_.size());
      own.own = own_numbers_;
      own_numbers_ += own.parts.of(world_.rank()).size;
      own.optimizer = arithmetic_.optimizer(own.parts.of(world_.rank()).size);
      held_.optimizer += own.optimizer->bytes();
    }
  }

  void allocate_buffers() {
    const std::size_t all = numbers_of(layers_);
    parameters_ = allocate(held_.parameters, stage_ < 3 ? all : own_numbers_);
    gradients_ = allocate(held_.gradients, stage_ < 2 ? all : own_numbers_);
    if (stage_ >= 2)
      for (Numbers& work : bucket_work_) work = allocate(held_.exchange, largest_bucket());
    if (stage_ == 3)
      for (Numbers& work : block_work_) work = allocate(held_.exchange, largest_block());
  }

  /// Starts to fetch a block's parameters from the ranks that own them.
  void gather(std::size_t block) {
    const Block& one = division_.blocks[block];
    for (std::size_t i = one.end_bucket; i-- > one.first_bucket;) {
      const Range range = division_.buckets[i].range;
      gathers_[block].gather(own_parameters(i), {block_parameters(block) + (range.begin - one.range.begin), range.size},
                             buckets_[i].parts);
    }
  }

  void progress() {
    for (ScatteredSum& sum : sums_) sum.progress();
    for (Pending& gather : gathers_) gather.progress();
  }

  double forward(std::uint64_t index) {
    const std::size_t blocks = division_.blocks.size();
    for (std::size_t block = 0; stage_ == 3 && block < std::min(blocks, blocks_at_a_time); ++block) gather(block);
    batches_->load(index, 0, rows_, chain_->values(0));
    for (std::size_t block = 0; block < blocks; ++block) {
      gathers_[block].wait();
      const Block& one = division_.blocks[block];
      const float* parameters = block_parameters(block);
      for (std::size_t layer = one.first; layer < one.end; ++layer) {
        chain_->multiply(layer, parameters + (layers_[layer].weight - one.range.begin));
        chain_->activate(layer, parameters + (layers_[layer].bias - one.range.begin));
        progress();
      }
      if (stage_ == 3 && block + blocks_at_a_time < blocks) gather(block + blocks_at_a_time);
    }
    // As the authors count it, a block is gone when it was used, and fetched again for the way back.
    for (std::size_t i = 0; stage_ == 3 && i < std::min(blocks, blocks_at_a_time); ++i) gather(blocks - 1 - i);
    const Rows outputs = chain_->values(layers_.size()), by_outputs = chain_->gradient(layers_.size());
    return batches_->loss(index, 0, rows_, outputs.values, by_outputs.values);
  }

  void backward() {
    for (std::size_t block = division_.blocks.size(); block-- > 0;) {
      gathers_[block].wait();
      const Block& one = division_.blocks[block];
      for (std::size_t bucket = one.first_bucket; bucket < one.end_bucket; ++bucket) {
        // The sum that had this one's memory is done first.
        if (bucket >= sums_at_a_time) finish_sum(bucket - sums_at_a_time);
        for (const Piece& piece : division_.buckets[bucket].pieces) {
          piece_gradient(bucket, piece);
          if (&piece == &division_.buckets[bucket].pieces.back())
            sums_[bucket % sums_at_a_time].start({bucket_gradients(bucket), division_.buckets[bucket].range.size},
                                                 buckets_[bucket].parts);
          if (piece.first == 0 && piece.layer > 0)
            chain_->input_gradient(piece.layer, block_parameters(block) + (layers_[piece.layer].weight - one.range.begin));
        }
      }
      if (stage_ == 3 && block >= blocks_at_a_time) gather(block - blocks_at_a_time);
    }
    for (std::size_t i = buckets_.size() - std::min(buckets_.size(), sums_at_a_time); i < buckets_.size(); ++i) finish_sum(i);
  }

  /// The gradient by some rows of a layer's weight, and by the bias where the last of them is among them.
  void piece_gradient(std::size_t bucket, const Piece& piece) {
    const LayerPlace& layer = layers_[piece.layer];
    float* target = bucket_gradients(bucket);
    const std::size_t begin = division_.buckets[bucket].range.begin;
    if (piece.first + piece.rows == layer.outputs) {
      std::fill(target + (layer.row(layer.outputs) - begin), target + (layer.end() - begin), 0.0F);
      chain_->through_activation(piece.layer, target + (layer.bias - begin), false);
    }
    const std::int64_t most = rows_at_a_time(layer);
    for (std::int64_t end = piece.first + piece.rows; end > piece.first;) {
      const std::int64_t first = std::max(piece.first, end - most);
      chain_->weight_gradient(piece.layer, first, end - first, target + (layer.row(first) - begin), false);
      end = first;
      progress();
    }
  }

  void finish_sum(std::size_t bucket) {
    const Range part = buckets_[bucket].parts.of(world_.rank());
    const std::span<float> sum(bucket_gradients(bucket) + part.begin, part.size);
    sums_[bucket % sums_at_a_time].finish(sum);
    if (stage_ >= 2) std::ranges::copy(sum, own_gradients(bucket).begin());
  }

  /// Every rank its own part; first layers first, since the next step wants them first.
  void update() {
    for (std::size_t block = 0; block < division_.blocks.size(); ++block) {
      const Block& one = division_.blocks[block];
      for (std::size_t i = one.end_bucket; i-- > one.first_bucket;)
        buckets_[i].optimizer->update(own_parameters(i), own_gradients(i));
      if (stage_ < 3) gather(block);
      progress();
    }
  }

  int stage_;
  Communicator& world_;
  Arithmetic& arithmetic_;
  std::uint64_t steps_, rows_;
  Held held_;
  std::unique_ptr<Chain> chain_;
  std::unique_ptr<Batches> batches_;
  std::vector<LayerPlace> layers_;
  Division division_;
  std::vector<OwnBucket> buckets_;  // as division_.buckets
  std::size_t own_numbers_ = 0;
  Numbers parameters_, gradients_;  // of the whole network, or of this rank's parts
  std::array<Numbers, sums_at_a_time> bucket_work_;
  std::array<Numbers, blocks_at_a_time> block_work_;
  std::vector<ScatteredSum> sums_;
  std::vector<Pending> gathers_;  // of each block
  std::vector<float> collected_;
};

template <int stage>
std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<Zero>(stage, settings, arithmetic, world);
}

}  // namespace

StrategyKind zero1_kind() {
  return {"zero1", "ddp with the optimizer's moments divided among the ranks", {}, check_batch_share, batch_share_rows, make<1>,
          true};
}
StrategyKind zero2_kind() {
  return {"zero2", "zero1 with the gradients divided too", {}, check_batch_share, batch_share_rows, make<2>, true};
}
StrategyKind zero3_kind() {
  return {"zero3",
          "zero2 with the parameters divided too, and fetched where they are used",
          {},
          check_batch_share,
          batch_share_rows,
          make<3>,
          true};
}

}  // namespace hiple::scaling
