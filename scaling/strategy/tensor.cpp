#include <algorithm>

#include "scaling/strategy/pending.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

/// The first layer of each pair is split by its outputs, the second by its inputs, so that what lies between them stays where it
/// is. A last layer without a partner is split by its outputs.
bool is_by_outputs(std::size_t layer) { return layer % 2 == 0; }

/// The widths of one rank's part: between the layers of a pair it has its share.
std::vector<std::int64_t> own_widths(std::vector<std::int64_t> widths, int ranks) {
  for (std::size_t place = 1; place < widths.size(); place += 2) widths[place] /= ranks;
  return widths;
}

/// Tensor parallel training (Shoeybi et al., "Megatron-LM: Training Multi-Billion Parameter Language Models Using Model
/// Parallelism", 2019): every rank has a part of every layer and sees all rows. A pair of layers costs a sum over all ranks on
/// the way there, of what its second layer puts out, and one on the way back, of the gradient by what its first layer takes in,
/// but for the network's inputs. The latter runs beside the computing of the weight's gradient.
class TensorParallel : public Strategy {
 public:
  TensorParallel(const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : world_(world),
        arithmetic_(arithmetic),
        steps_(settings.steps),
        rows_(static_cast<std::int64_t>(settings.batch)),
        whole_(lay_out(settings.widths)),
        chain_(arithmetic.chain({.widths = own_widths(settings.widths, world.size()), .rows = rows_, .is_linear_at_end = true})),
        own_(chain_->layers()),
        batches_(
            arithmetic.batches({.name = "monolith", .rows = settings.batch, .batch = settings.batch, .steps = settings.steps})),
        optimizer_(arithmetic.optimizer(numbers_of(own_))),
        sum_(world, 1) {
    held_ = {.optimizer = optimizer_->bytes(), .activations = chain_->bytes(), .data = batches_->bytes()};
    parameters_ = allocate(held_.parameters, numbers_of(own_));
    gradients_ = allocate(held_.gradients, numbers_of(own_));
    const std::int64_t widest = *std::ranges::max_element(settings.widths);
    packed_ = allocate(held_.exchange, static_cast<std::size_t>(rows_ * widest));
    if (is_by_outputs(own_.size() - 1)) {
      const auto outputs = static_cast<std::size_t>(rows_ * classes());
      for (Numbers* buffer : {&gathered_, &outputs_, &output_gradient_}) *buffer = allocate(held_.exchange, outputs);
      output_parts_ = divide(outputs, world.size());
    }
  }

  void start() override {
    arithmetic_.draw("monolith", [this](std::span<const float> initial) {
      for (std::size_t i = 0; i < own_.size(); ++i) take_part(i, initial);
    });
    optimizer_->reset();
  }

  double step(std::uint64_t index) override {
    batches_->load(index, 0, static_cast<std::uint64_t>(rows_), chain_->values(0));
    for (std::size_t i = 0; i < own_.size(); ++i) forward(i);
    const double loss = output_loss(index);
    for (std::size_t i = own_.size(); i-- > 0;) backward(i);
    optimizer_->update({parameters_.data(), parameters_.size()}, {gradients_.data(), gradients_.size()});
    return world_.rank() == 0 ? loss : 0;  // all ranks have computed the same
  }

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, whole_, collected_}}; }

  void collect() override {
    const auto ranks = static_cast<std::size_t>(world_.size());
    std::vector<float> all(parameters_.size() * ranks);
    world_.gather_all({parameters_.data(), parameters_.size()}, all, parts_of(std::vector(ranks, parameters_.size())));
    collected_.assign(numbers_of(whole_), 0.0F);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (std::size_t i = 0; i < own_.size(); ++i)
        put_part(i, static_cast<std::int64_t>(rank), std::span(all).subspan(rank * parameters_.size(), parameters_.size()));
  }

  [[nodiscard]] Held held() const override { return held_; }

 private:
  [[nodiscard]] std::int64_t classes() const { return whole_.back().outputs; }

  /// Copies rank `rank`'s part of a layer: `part(i, j)` of the whole layer's place and the part's, and how many numbers.
  template <typename Copy>
  void for_part(std::size_t layer, std::int64_t rank, const Copy& copy) const {
    const LayerPlace& own = own_[layer];
    const LayerPlace& whole = whole_[layer];
    const std::int64_t row = is_by_outputs(layer) ? rank * own.outputs : 0, column = is_by_outputs(layer) ? 0 : rank * own.inputs;
    for (std::int64_t i = 0; i < own.outputs; ++i)
      copy(whole.row(row + i) + static_cast<std::size_t>(column), own.row(i), own.inputs);
    copy(whole.bias + static_cast<std::size_t>(row), own.bias, own.outputs);
  }
  void take_part(std::size_t layer, std::span<const float> whole) {
    for_part(layer, world_.rank(), [&](std::size_t from, std::size_t to, std::int64_t count) {
      std::copy_n(whole.data() + from, count, parameters_.data() + to);
    });
  }
  void put_part(std::size_t layer, std::int64_t rank, std::span<const float> part) {
    for_part(layer, rank, [&](std::size_t to, std::size_t from, std::int64_t count) {
      std::copy_n(part.data() + from, count, collected_.data() + to);
    });
  }

  [[nodiscard]] std::span<float> packed(std::int64_t width) { return {packed_.data(), static_cast<std::size_t>(rows_ * width)}; }

  void forward(std::size_t layer) {
    chain_->multiply(layer, parameters_.data() + own_[layer].weight);
    if (!is_by_outputs(layer)) {
      const std::int64_t width = own_[layer].outputs;
      pack(chain_->values(layer + 1), rows_, width, packed_.data());
      world_.sum(packed(width));
      unpack(packed_.data(), rows_, width, chain_->values(layer + 1));
    }
    chain_->activate(layer, parameters_.data() + own_[layer].bias);
  }

  /// The loss by all outputs, and this rank's part of the gradient by them.
  double output_loss(std::uint64_t index) {
    const Rows own = chain_->values(own_.size()), gradient = chain_->gradient(own_.size());
    const auto rows = static_cast<std::uint64_t>(rows_);
    if (!is_by_outputs(own_.size() - 1)) return batches_->loss(index, 0, rows, own.values, gradient.values);
    const std::int64_t width = own_.back().outputs;
    const auto numbers = static_cast<std::size_t>(rows_ * width);
    world_.gather_all({own.values, numbers}, {gathered_.data(), gathered_.size()}, output_parts_);
    for (std::int64_t rank = 0; rank < world_.size(); ++rank)
      unpack(gathered_.data() + rank * rows_ * width, rows_, width, {outputs_.data() + rank * width, classes()});
    const double loss = batches_->loss(index, 0, rows, outputs_.data(), output_gradient_.data());
    pack({output_gradient_.data() + world_.rank() * width, classes()}, rows_, width, gradient.values);
    return loss;
  }

  void backward(std::size_t layer) {
    const LayerPlace& own = own_[layer];
    chain_->through_activation(layer, gradients_.data() + own.bias, false);
    if (layer > 0) chain_->input_gradient(layer, parameters_.data() + own.weight);
    const bool is_shared = layer > 0 && is_by_outputs(layer);
    if (is_shared) {
      pack(chain_->gradient(layer), rows_, own.inputs, packed_.data());
      sum_.sum(packed(own.inputs));
    }
    const std::int64_t most = rows_at_a_time(own);
    for (std::int64_t end = own.outputs; end > 0;) {
      const std::int64_t first = std::max<std::int64_t>(0, end - most);
      chain_->weight_gradient(layer, first, end - first, gradients_.data() + own.row(first), false);
      end = first;
      sum_.progress();
    }
    if (!is_shared) return;
    sum_.wait();
    unpack(packed_.data(), rows_, own.inputs, chain_->gradient(layer));
  }

  Communicator& world_;
  Arithmetic& arithmetic_;
  std::uint64_t steps_;
  std::int64_t rows_;
  std::vector<LayerPlace> whole_;
  std::unique_ptr<Chain> chain_;
  std::vector<LayerPlace> own_;
  std::unique_ptr<Batches> batches_;
  std::unique_ptr<Optimizer> optimizer_;
  Pending sum_;
  Held held_;
  Numbers parameters_, gradients_;                // of this rank's parts
  Numbers packed_;                                // rows without gaps, to be summed
  Numbers gathered_, outputs_, output_gradient_;  // where the last layer is split by its outputs: of all ranks, [rows, classes]
  Parts output_parts_;
  std::vector<float> collected_;
};

void check(const Settings& settings, int ranks, Problems& problems) {
  for (std::size_t place = 1; place < settings.widths.size(); place += 2) {
    if (settings.widths[place] % ranks == 0) continue;
    problems.add(Place{"--network"},
                 "width " + std::to_string(settings.widths[place]) + " does not divide among " + std::to_string(ranks) + " ranks",
                 "tp splits layer " + std::to_string(place - 1) + " by its outputs, as many for each rank",
                 "give every second width, from the first layer's outputs on, as a multiple of " + std::to_string(ranks));
  }
}

std::uint64_t rows(const Settings& settings, int) { return settings.batch; }

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<TensorParallel>(settings, arithmetic, world);
}

}  // namespace

StrategyKind tp_kind() {
  return {"tp", "tensor parallel: every layer is split among the ranks, activations are summed", {}, check, rows, make};
}

}  // namespace hiple::scaling
