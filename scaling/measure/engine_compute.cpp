#include "scaling/measure/engine_compute.hpp"

#include <algorithm>
#include <numeric>

#include "engine/loss.hpp"
#include "scaling/measure/planted_data.hpp"

namespace hiple::scaling {

namespace {

constexpr double learning_rate = 1e-3;
/// Numbers of a weight's gradient between two looks at what is under way: 1 MiB. A layer of millions of parameters keeps a core
/// busy for tens of milliseconds, in which nobody would move a message on; smaller parts make the products slower.
constexpr std::size_t part = std::size_t{1} << 18;

std::vector<Range> ranges(const engine::Layout& layout) {
  std::vector<Range> result;
  result.reserve(layout.layers.size());
  for (const engine::LayerSlice& layer : layout.layers) result.push_back({layer.begin, layer.size});
  return result;
}

}  // namespace

std::uint64_t table_batches(std::uint64_t steps, std::uint64_t batch, std::uint64_t inputs) {
  constexpr std::uint64_t numbers = std::uint64_t{1} << 22;
  return std::clamp<std::uint64_t>(numbers / (batch * inputs), 1, std::max<std::uint64_t>(steps, 1));
}

EngineCompute::EngineCompute(const engine::NetworkShape& shape, std::uint64_t seed, const Share& share)
    : generator_(seed, share.name),
      share_(share),
      network_(shape),
      pass_(network_, static_cast<std::int64_t>(share.rows), generator_),
      adam_({}, share.updated ? share.updated->size : network_.layout().size),
      layers_(ranges(network_.layout())),
      batches_(table_batches(share.steps, share.batch, static_cast<std::uint64_t>(shape.inputs))),
      dense_(batches_ * share.rows * static_cast<std::size_t>(shape.inputs)),
      labels_(batches_ * share.rows),
      rows_(share.rows) {
  updated_ = share.updated.value_or(Range{0, network_.layout().size});
  const auto inputs = static_cast<std::size_t>(shape.inputs);
  const PlantedData data(seed, share.name, inputs, static_cast<std::size_t>(shape.outputs));
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const std::uint64_t index = i / share.rows * share.batch + share.first_row + i % share.rows;
    labels_[i] = data.example(index, std::span(dense_).subspan(i * inputs, inputs));
  }
  EngineCompute::start();
}

void EngineCompute::start() {
  if (is_at_start_) return;  // drawing millions of weights takes seconds
  is_at_start_ = true;
  network_.initialise(generator_);
  std::ranges::fill(adam_.first_moment(), 0.0F);
  std::ranges::fill(adam_.second_moment(), 0.0F);
  adam_.set_steps(0);
}

double EngineCompute::forward(std::uint64_t step) {
  is_at_start_ = false;
  const std::size_t first = step % batches_ * share_.rows;
  std::iota(rows_.begin(), rows_.end(), static_cast<std::uint32_t>(first));
  pass_.load({dense_, {}}, rows_);
  const auto outputs = pass_.forward(0, static_cast<std::uint32_t>(step));
  return engine::softmax_cross_entropy(outputs, std::span(labels_).subspan(first, share_.rows), {},
                                       static_cast<double>(share_.batch), pass_.output_gradient());
}

void EngineCompute::backward(const CompleteHook& complete_from) {
  if (!complete_from) return pass_.backward();
  pass_.backward_in_parts(part, complete_from);
}

void EngineCompute::update() {
  adam_.step(network_.parameters().subspan(updated_.begin, updated_.size),
             network_.gradients().subspan(updated_.begin, updated_.size), learning_rate);
}

}  // namespace hiple::scaling
