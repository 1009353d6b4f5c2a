#include <algorithm>
#include <utility>

#include "engine/kernels_activation.hpp"
#include "engine/kernels_dropout.hpp"
#include "engine/kernels_product.hpp"
#include "engine/layer.hpp"
#include "engine/network.hpp"
#include "engine/network_input.hpp"
#include "engine/network_series.hpp"

namespace hiple::engine {
namespace {

Buffer<float> matrix(std::int64_t rows, std::int64_t columns) { return Buffer<float>(static_cast<std::size_t>(rows * columns)); }

}  // namespace

struct TrainingPass::State {
  struct Hidden {
    Buffer<float> values;  ///< [batch, good_stride(width)]: activations after dropout
    Buffer<float> slope;   ///< [batch, width]: their derivative by what went into the activation
  };

  State(Network& the_network, std::int64_t batch, Philox::Key the_key, int the_threads)
      : network(&the_network),
        key(the_key),
        threads(the_threads),
        dropout(the_network.shape().dropout),
        input(the_network.shape(), batch),
        series(the_network.shape().series, the_network.shape().activation, batch),
        outputs(matrix(batch, the_network.shape().outputs)),
        output_gradient(matrix(batch, the_network.shape().outputs)),
        gradient(matrix(batch, widest_gradient())),
        next_gradient(matrix(batch, widest_gradient())),
        scratch(static_cast<std::size_t>(largest_scratch())) {
    for (const std::int64_t width : the_network.shape().hidden)
      hidden.push_back({matrix(batch, good_stride(width)), matrix(batch, width)});
  }

  [[nodiscard]] std::int64_t widest_gradient() const {
    std::int64_t width = good_stride(input.learned_width());
    for (const std::int64_t hidden_width : network->shape().hidden) width = std::max(width, good_stride(hidden_width));
    return width;
  }
  [[nodiscard]] std::int64_t largest_scratch() const {
    std::int64_t numbers = series.largest_scratch();
    for (std::size_t linear = 0; linear <= network->shape().hidden.size(); ++linear)
      numbers = std::max(numbers, input_gradient_scratch(slice(linear).columns, slice(linear).rows));
    return numbers;
  }
  [[nodiscard]] std::size_t embeddings() const { return network->shape().embeddings.size(); }
  /// Layers below the first linear one.
  [[nodiscard]] std::size_t below() const { return embeddings() + series.convolutions(); }
  [[nodiscard]] const LayerSlice& slice(std::size_t linear) const { return network->layout().layers[below() + linear]; }

  template <typename Number>
  [[nodiscard]] static LinearView<Number> view_of(std::span<Number> buffer, const LayerSlice& layer) {
    return {buffer.data() + layer.weight, buffer.data() + layer.bias, layer.columns, layer.rows};
  }
  template <typename Number>
  [[nodiscard]] LinearView<Number> view(std::span<Number> buffer, std::size_t linear) const {
    return view_of(buffer, slice(linear));
  }

  /// What goes into linear layer `linear`.
  [[nodiscard]] RowsView<const float> layer_input(std::size_t linear) const {
    if (linear == 0) return {input.values(), input.width()};
    return {hidden[linear - 1].values.data(), good_stride(network->shape().hidden[linear - 1])};
  }

  void forward_series(const LayerHook& before_layer);
  void forward_layer(std::size_t linear, std::uint32_t epoch, std::uint32_t step);
  /// All of backward(); `weight_gradient(layer, x, dy, rows)` computes that of layer `layer` of the layout.
  template <typename WeightGradient>
  void backward(const WeightGradient& weight_gradient, const LayerHook& after_embedding);
  template <typename WeightGradient>
  void backward_series(const float* dy, const WeightGradient& weight_gradient);
  void backward_embeddings(const float* dy, const LayerHook& after_layer);

  Network* network;
  Philox::Key key;
  int threads;
  Dropout dropout;
  NetworkInput input;
  SeriesTraining series;
  std::vector<Hidden> hidden;
  Buffer<float> outputs, output_gradient;
  Buffer<float> gradient, next_gradient;  ///< by a hidden layer, and by the one below it
  Buffer<float> scratch;                  ///< of linear_input_gradient()
};

void TrainingPass::State::forward_series(const LayerHook& before_layer) {
  if (network->shape().series.empty()) return;
  for (std::size_t i = 0; i < series.convolutions(); ++i) {
    const std::size_t layer = embeddings() + i;
    if (before_layer) before_layer(layer);
    series.forward(i, view_of(std::as_const(*network).parameters(), network->layout().layers[layer]), input.points(),
                   input.rows());
  }
  series.pool(input.rows(), input.pooled());
}

void TrainingPass::State::forward_layer(std::size_t linear, std::uint32_t epoch, std::uint32_t step) {
  const auto layer = view(std::as_const(*network).parameters(), linear);
  const bool output = linear == hidden.size();
  const std::int64_t stride = output ? layer.outputs : good_stride(layer.outputs);
  float* values = output ? outputs.data() : hidden[linear].values.data();
  const MatrixShape shape{.rows = input.rows(), .width = layer.outputs, .stride = stride};
  linear_forward(layer, layer_input(linear), {values, stride}, shape.rows);
  if (output) return add_bias(layer.bias, values, shape);
  float* slope = hidden[linear].slope.data();
  if (dropout.active()) {
    const auto use = dropout_use + static_cast<std::uint32_t>(below() + linear);
    dropout.fill(key, epoch, step, use, slope, static_cast<std::size_t>(shape.rows * shape.width));
  }
  add_bias_activate_training(network->shape().activation, dropout.active(), layer.bias, values, slope, shape);
}

void TrainingPass::State::backward_embeddings(const float* dy, const LayerHook& after_layer) {
  for (std::size_t i = embeddings(); i-- > 0;) {
    const LayerSlice& layer = network->layout().layers[i];
    float* table = network->gradients().data() + layer.begin;
    std::fill_n(table, layer.size, 0.0F);
    input.add_gradient(i, dy, table);
    if (after_layer) after_layer(i);
  }
}

TrainingPass::TrainingPass(Network& network, std::int64_t batch, const Philox& generator, int threads)
    : state_(std::make_unique<State>(network, batch, generator.key(), threads)) {
  prepare_products();
}
TrainingPass::~TrainingPass() = default;
TrainingPass::TrainingPass(TrainingPass&&) noexcept = default;
TrainingPass& TrainingPass::operator=(TrainingPass&&) noexcept = default;

void TrainingPass::load(const Examples& examples, std::span<const std::uint32_t> rows) { state_->input.load(examples, rows); }

std::span<const float> TrainingPass::forward(std::uint32_t epoch, std::uint32_t step, const LayerHook& before_layer) {
  State& s = *state_;
  use_threads(s.threads);
  for (std::size_t i = 0; i < s.embeddings(); ++i) {
    if (before_layer) before_layer(i);
    s.input.embed(i, s.network->parameters().data() + s.network->layout().layers[i].weight, s.input.rows());
  }
  s.forward_series(before_layer);
  for (std::size_t linear = 0; linear <= s.hidden.size(); ++linear) {
    if (before_layer) before_layer(s.below() + linear);
    s.forward_layer(linear, epoch, step);
  }
  return {s.outputs.data(), static_cast<std::size_t>(s.input.rows() * s.network->shape().outputs)};
}

std::span<float> TrainingPass::output_gradient() {
  return {state_->output_gradient.data(), static_cast<std::size_t>(state_->input.rows() * state_->network->shape().outputs)};
}

template <typename WeightGradient>
void TrainingPass::State::backward(const WeightGradient& weight_gradient, const LayerHook& after_embedding) {
  use_threads(threads);
  const std::int64_t rows = input.rows(), width = network->shape().outputs;
  const auto parameters = std::as_const(*network).parameters();
  const auto gradients = network->gradients();
  RowsView<const float> dy{output_gradient.data(), width};
  sum_columns(dy.values, view(gradients, hidden.size()).bias, {.rows = rows, .width = width, .stride = width});
  for (std::size_t linear = hidden.size(); linear > 0; --linear) {
    weight_gradient(below() + linear, layer_input(linear), dy, rows);
    const auto lower = view(gradients, linear - 1);
    const RowsView<float> dx{next_gradient.data(), good_stride(lower.outputs)};
    linear_input_gradient(view(parameters, linear), dy, dx, rows, scratch.data());
    multiply_by_slope(hidden[linear - 1].slope.data(), dx.values, lower.bias,
                      {.rows = rows, .width = lower.outputs, .stride = dx.stride});
    std::swap(gradient, next_gradient);
    dy = {dx.values, dx.stride};
  }
  weight_gradient(below(), layer_input(0), dy, rows);
  if (input.learned_width() == 0) return;
  linear_input_gradient(view(parameters, 0), dy, {next_gradient.data(), input.learned_width()}, rows, scratch.data(),
                        network->shape().inputs);
  backward_series(next_gradient.data(), weight_gradient);
  backward_embeddings(next_gradient.data(), after_embedding);
}

template <typename WeightGradient>
void TrainingPass::State::backward_series(const float* dy, const WeightGradient& weight_gradient) {
  if (network->shape().series.empty()) return;
  const std::int64_t rows = input.rows();
  series.pool_gradient(rows, input.pooled_gradient(dy));
  for (std::size_t i = series.convolutions(); i-- > 0;) {
    const LayerSlice& layer = network->layout().layers[embeddings() + i];
    const auto by_sums = series.through_activation(i, rows, network->gradients().data() + layer.bias);
    weight_gradient(embeddings() + i, series.patches(i), by_sums, series.patch_rows(i, rows));
    if (i > 0) series.input_gradient(i, view_of(std::as_const(*network).parameters(), layer), rows, scratch.data());
  }
}

void TrainingPass::backward(const LayerHook& after_layer) {
  State& s = *state_;
  const auto weight_gradient = [&](std::size_t layer, RowsView<const float> x, RowsView<const float> dy, std::int64_t rows) {
    linear_weight_gradient(State::view_of(s.network->gradients(), s.network->layout().layers[layer]), x, dy, rows);
    if (after_layer) after_layer(layer);
  };
  s.backward(weight_gradient, after_layer);
}

void TrainingPass::backward_in_parts(std::size_t part, const PlaceHook& complete_from) {
  State& s = *state_;
  const auto weight_gradient = [&](std::size_t layer, RowsView<const float> x, RowsView<const float> dy, std::int64_t rows) {
    const LayerSlice& slice = s.network->layout().layers[layer];
    const LinearView<float> whole = State::view_of(s.network->gradients(), slice);
    const std::int64_t most = std::max<std::int64_t>(1, static_cast<std::int64_t>(part) / whole.inputs);
    for (std::int64_t end = whole.outputs; end > 0;) {
      const std::int64_t first = std::max<std::int64_t>(0, end - most);
      const LinearView<float> part_rows{whole.weight + first * whole.inputs, whole.bias + first, whole.inputs, end - first};
      linear_weight_gradient(part_rows, x, {dy.values + first, dy.stride}, rows);
      complete_from(slice.weight + static_cast<std::size_t>(first * whole.inputs));
      end = first;
    }
  };
  const auto after_embedding = [&](std::size_t layer) { complete_from(s.network->layout().layers[layer].begin); };
  s.backward(weight_gradient, after_embedding);
}

}  // namespace hiple::engine
