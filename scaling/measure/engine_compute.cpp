#include "scaling/measure/engine_compute.hpp"

#include <algorithm>
#include <numeric>

#include "engine/loss.hpp"
#include "scaling/measure/engine_arithmetic.hpp"
#include "scaling/measure/heap.hpp"

namespace hiple::scaling {

namespace {

/// Numbers of a weight's gradient between two looks at what is under way: 1 MiB. A layer of millions of parameters keeps a core
/// busy for tens of milliseconds, in which nobody would move a message on; smaller parts make the products slower.
constexpr std::size_t part = std::size_t{1} << 18;

std::vector<Range> ranges(const engine::Layout& layout) {
  std::vector<Range> result;
  result.reserve(layout.layers.size());
  for (const engine::LayerSlice& layer : layout.layers) result.push_back({layer.begin, layer.size});
  return result;
}

/// A pass keeps its buffers to itself: the allocator says how large they are.
engine::TrainingPass counted_pass(engine::Network& network, const Share& share, const Philox& generator, std::uint64_t& bytes) {
  const std::uint64_t before = heap_bytes();
  engine::TrainingPass pass(network, static_cast<std::int64_t>(share.rows), generator);
  bytes = heap_bytes() - before;
  return pass;
}

}  // namespace

EngineCompute::EngineCompute(const engine::NetworkShape& shape, std::uint64_t seed, const Share& share)
    : generator_(seed, share.name),
      share_(share),
      table_(shape.inputs, shape.outputs, seed, share),
      network_(shape),
      pass_(counted_pass(network_, share, generator_, held_.activations)),
      adam_({}, share.updated ? share.updated->size : network_.layout().size),
      layers_(ranges(network_.layout())),
      rows_(share.rows) {
  updated_ = share.updated.value_or(Range{0, network_.layout().size});
  held_.parameters = network_.parameters().size_bytes();
  held_.gradients = network_.gradients().size_bytes();
  held_.optimizer = adam_.first_moment().size_bytes() + adam_.second_moment().size_bytes();
  held_.data = table_.bytes();
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
  const std::size_t first = table_.first_row(step);
  std::iota(rows_.begin(), rows_.end(), static_cast<std::uint32_t>(first));
  pass_.load({table_.dense(), {}}, rows_);
  const auto outputs = pass_.forward(0, static_cast<std::uint32_t>(step));
  return engine::softmax_cross_entropy(outputs, std::span(table_.labels()).subspan(first, share_.rows), {},
                                       static_cast<double>(share_.divisor > 0 ? share_.divisor : share_.batch),
                                       pass_.output_gradient());
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
