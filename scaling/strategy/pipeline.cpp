#include <algorithm>
#include <array>

#include "scaling/strategy/pending.hpp"
#include "scaling/strategy/stages.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

constexpr int activation_tag = 1, gradient_tag = 2;

/// Pipeline parallel training (Narayanan et al., "PipeDream", SOSP 2019, with the flush of "Memory-Efficient Pipeline-Parallel
/// DNN Training", ICML 2021): every rank has some of the layers, and a batch passes through in micro-batches. Each stage takes as
/// many forward as there are stages behind it, then one forward and one backward in turn (1F1B), so that it holds the activations
/// of no more micro-batches than that; then the rest backward, and all stages update. What a neighbour sends is received while
/// the micro-batch before it is computed, and what is sent leaves beside the computing.
class Pipeline : public Strategy {
 public:
  Pipeline(const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : world_(world),
        arithmetic_(arithmetic),
        steps_(settings.steps),
        count_(settings.micro_batches),
        rows_(settings.batch / settings.micro_batches),
        whole_(lay_out(settings.widths)),
        stages_(cut_into_stages(settings.widths, static_cast<std::size_t>(world.size()))),
        stage_(stages_[static_cast<std::size_t>(world.rank())]),
        forward_in_(world, 1),
        backward_in_(world, 1) {
    const std::vector<std::int64_t> widths(settings.widths.begin() + static_cast<std::ptrdiff_t>(stage_.first),
                                           settings.widths.begin() + static_cast<std::ptrdiff_t>(stage_.end) + 1);
    const std::uint64_t under_way = std::min<std::uint64_t>(count_, static_cast<std::uint64_t>(world.size() - world.rank()));
    for (std::uint64_t i = 0; i < under_way; ++i) {
      chains_.push_back(
          arithmetic.chain({.widths = widths, .rows = static_cast<std::int64_t>(rows_), .is_linear_at_end = is_last()}));
      held_.activations += chains_.back()->bytes();
    }
    layers_ = chains_.front()->layers();
    optimizer_ = arithmetic.optimizer(numbers_of(layers_));
    held_.optimizer = optimizer_->bytes();
    if (is_first() || is_last()) {
      batches_ =
          arithmetic.batches({.name = "monolith", .rows = settings.batch, .batch = settings.batch, .steps = settings.steps});
      held_.data = batches_->bytes();
    }
    parameters_ = allocate(held_.parameters, numbers_of(layers_));
    gradients_ = allocate(held_.gradients, numbers_of(layers_));
    const std::size_t in = is_first() ? 0 : rows_ * static_cast<std::size_t>(widths.front());
    const std::size_t out = is_last() ? 0 : rows_ * static_cast<std::size_t>(widths.back());
    received_ = allocate(held_.exchange, in);
    received_gradient_ = allocate(held_.exchange, out);
    for (std::size_t i = 0; i < 2; ++i) {
      forward_out_.push_back({Pending(world, 1), allocate(held_.exchange, out)});
      backward_out_.push_back({Pending(world, 1), allocate(held_.exchange, in)});
    }
  }

  void start() override {
    arithmetic_.draw("monolith", [this](std::span<const float> initial) {
      std::copy_n(initial.data() + whole_[stage_.first].begin, parameters_.size(), parameters_.data());
    });
    optimizer_->reset();
  }

  double step(std::uint64_t index) override {
    if (!is_first()) forward_in_.receive(view(received_), world_.rank() - 1, activation_tag);
    if (!is_last()) backward_in_.receive(view(received_gradient_), world_.rank() + 1, gradient_tag);
    double loss = 0;
    const std::uint64_t ahead = std::min<std::uint64_t>(count_, static_cast<std::uint64_t>(world_.size() - 1 - world_.rank()));
    for (std::uint64_t i = 0; i < ahead; ++i) loss += forward(index, i);
    for (std::uint64_t i = ahead; i < count_; ++i) {
      loss += forward(index, i);
      backward(i - ahead);
    }
    for (std::uint64_t i = count_ - ahead; i < count_; ++i) backward(i);
    for (auto* out : {&forward_out_, &backward_out_})
      for (Sending& one : *out) one.pending.wait();
    optimizer_->update(view(parameters_), view(gradients_));
    return loss;
  }

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, whole_, collected_}}; }

  void collect() override {
    std::vector<std::size_t> sizes;
    for (const Stage& stage : stages_) sizes.push_back(whole_[stage.end - 1].end() - whole_[stage.first].begin);
    collected_.resize(numbers_of(whole_));
    world_.gather_all(view(parameters_), collected_, parts_of(sizes));
  }

  [[nodiscard]] Held held() const override { return held_; }

 private:
  /// What is being sent, and the memory that it leaves from.
  struct Sending {
    Pending pending;
    Numbers numbers;
  };

  static std::span<float> view(Numbers& numbers) { return {numbers.data(), numbers.size()}; }
  [[nodiscard]] bool is_first() const { return world_.rank() == 0; }
  [[nodiscard]] bool is_last() const { return world_.rank() + 1 == world_.size(); }

  void progress() {
    forward_in_.progress();
    backward_in_.progress();
    for (auto* out : {&forward_out_, &backward_out_})
      for (Sending& one : *out) one.pending.progress();
  }

  /// Sends rows to a neighbour, once what left from the same memory two micro-batches ago has arrived.
  void send(std::vector<Sending>& out, std::uint64_t index, Rows rows, std::int64_t width, int to, int tag) {
    Sending& one = out[index % out.size()];
    one.pending.wait();
    pack(rows, static_cast<std::int64_t>(rows_), width, one.numbers.data());
    one.pending.send(view(one.numbers), to, tag);
  }

  /// What a neighbour sent, with the next micro-batch's being received from then on.
  void receive(Pending& in, Numbers& numbers, std::uint64_t index, Rows rows, std::int64_t width, int from, int tag) {
    in.wait();
    unpack(numbers.data(), static_cast<std::int64_t>(rows_), width, rows);
    if (index + 1 < count_) in.receive(view(numbers), from, tag);
  }

  double forward(std::uint64_t step, std::uint64_t index) {
    Chain& chain = *chains_[index % chains_.size()];
    if (is_first())
      batches_->load(step, index * rows_, rows_, chain.values(0));
    else
      receive(forward_in_, received_, index, chain.values(0), layers_.front().inputs, world_.rank() - 1, activation_tag);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      chain.multiply(i, parameters_.data() + layers_[i].weight);
      chain.activate(i, parameters_.data() + layers_[i].bias);
      progress();
    }
    const Rows outputs = chain.values(layers_.size());
    if (is_last()) return batches_->loss(step, index * rows_, rows_, outputs.values, chain.gradient(layers_.size()).values);
    send(forward_out_, index, outputs, layers_.back().outputs, world_.rank() + 1, activation_tag);
    return 0;
  }

  void backward(std::uint64_t index) {
    Chain& chain = *chains_[index % chains_.size()];
    if (!is_last())
      receive(backward_in_, received_gradient_, index, chain.gradient(layers_.size()), layers_.back().outputs, world_.rank() + 1,
              gradient_tag);
    const bool add = index > 0;
    for (std::size_t i = layers_.size(); i-- > 0;) {
      const LayerPlace& layer = layers_[i];
      chain.through_activation(i, gradients_.data() + layer.bias, add);
      if (i > 0 || !is_first()) chain.input_gradient(i, parameters_.data() + layer.weight);
      if (i == 0 && !is_first()) send(backward_out_, index, chain.gradient(0), layer.inputs, world_.rank() - 1, gradient_tag);
      const std::int64_t most = rows_at_a_time(layer);
      for (std::int64_t end = layer.outputs; end > 0;) {
        const std::int64_t first = std::max<std::int64_t>(0, end - most);
        chain.weight_gradient(i, first, end - first, gradients_.data() + layer.row(first), add);
        end = first;
        progress();
      }
    }
  }

  Communicator& world_;
  Arithmetic& arithmetic_;
  std::uint64_t steps_, count_, rows_;  // micro-batches of a step, rows of each
  std::vector<LayerPlace> whole_;
  std::vector<Stage> stages_;
  Stage stage_;  // this rank's
  Held held_;
  std::vector<std::unique_ptr<Chain>> chains_;  // of each micro-batch that is under way
  std::vector<LayerPlace> layers_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<Batches> batches_;  // of the first stage and the last
  Numbers parameters_, gradients_;
  Pending forward_in_, backward_in_;
  Numbers received_, received_gradient_;
  std::vector<Sending> forward_out_, backward_out_;
  std::vector<float> collected_;
};

void check(const Settings& settings, int ranks, Problems& problems) {
  const std::size_t layers = settings.widths.size() - 1;
  if (static_cast<std::size_t>(ranks) > layers)
    problems.add(Place{"--network"}, std::to_string(layers) + " layers are no pipeline of " + std::to_string(ranks) + " ranks",
                 "every rank has one layer at least", "start fewer ranks, or give the network more layers");
  if (settings.batch % settings.micro_batches != 0)
    problems.add(
        Place{"--batch"},
        std::to_string(settings.batch) + " rows do not divide into " + std::to_string(settings.micro_batches) + " micro-batches",
        "every micro-batch has as many rows as the others",
        "give a multiple of " + std::to_string(settings.micro_batches) + ", or another --micro-batches");
}

std::uint64_t rows(const Settings& settings, int) { return settings.batch; }

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<Pipeline>(settings, arithmetic, world);
}

}  // namespace

StrategyKind pp_kind() {
  return {"pp", "pipeline parallel: the layers are divided among the ranks, micro-batches pass through (1F1B)", {}, check, rows,
          make};
}

}  // namespace hiple::scaling
