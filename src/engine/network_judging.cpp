#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "engine/kernels_activation.hpp"
#include "engine/kernels_product.hpp"
#include "engine/layer.hpp"
#include "engine/network.hpp"
#include "engine/network_input.hpp"
#include "engine/network_series.hpp"

namespace hiple::engine {

namespace {

// The last rows of a product may go through other kernels, which round otherwise, where their number is no multiple of what a
// kernel takes at a time (4, 6, 8, 16 or 48, by instruction set).
std::int64_t whole_kernels(std::int64_t rows, int threads) {
  const std::int64_t step = std::int64_t{48} * threads;
  return (rows + step - 1) / step * step;
}

}  // namespace

struct JudgingPass::State {
  State(const Network& the_network, std::int64_t the_batch, int the_threads)
      : network(&the_network),
        threads(the_threads),
        limit(the_batch),
        batch(whole_kernels(the_batch, the_threads)),
        input(the_network.shape(), batch),
        series(the_network.shape().series, the_network.shape().activation, whole_kernels(1, the_threads)) {
    const auto& layers = the_network.layout().layers;
    const std::size_t embeddings = the_network.shape().embeddings.size();
    for (std::size_t i = 0; i < the_network.shape().series.convolutions.size(); ++i)
      convolutions.push_back(view_of(layers[embeddings + i]));
    const auto size = [this](std::int64_t width) { return static_cast<std::size_t>(batch * width); };
    const auto& widths = the_network.shape().hidden;
    const std::int64_t widest = widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
    for (Buffer<float>& buffer : hidden) buffer = Buffer<float>(size(widest));
    outputs = Buffer<float>(size(the_network.shape().outputs));
  }

  [[nodiscard]] LinearView<const float> view_of(const LayerSlice& layer) const {
    const float* parameters = network->parameters().data();
    return {parameters + layer.weight, parameters + layer.bias, layer.columns, layer.rows};
  }

  const Network* network;
  int threads;
  std::int64_t limit;  ///< rows that a caller may give at a time
  std::int64_t batch;  ///< rows that are computed
  NetworkInput input;
  SeriesJudging series;
  std::vector<LinearView<const float>> convolutions;
  std::array<Buffer<float>, 2> hidden;  ///< of the layers in turn
  Buffer<float> outputs;
  const float* penultimate = nullptr;
};

JudgingPass::JudgingPass(const Network& network, std::int64_t batch, int threads)
    : state_(std::make_unique<State>(network, batch, threads)) {
  prepare_products();
}
JudgingPass::~JudgingPass() = default;
JudgingPass::JudgingPass(JudgingPass&&) noexcept = default;
JudgingPass& JudgingPass::operator=(JudgingPass&&) noexcept = default;

std::int64_t JudgingPass::batch() const { return state_->limit; }

std::span<const float> JudgingPass::forward(const Examples& examples, std::span<const std::uint32_t> rows) {
  State& s = *state_;
  if (rows.size() > static_cast<std::size_t>(s.limit)) {
    throw Error(fmt::format("{} rows do not fit a batch of {}", rows.size(), s.limit));
  }
  use_threads(s.threads);
  s.input.load(examples, rows);
  // The whole batch whatever the number of rows, for a product may round otherwise in another shape. The rows that are left
  // over hold older examples.
  const std::size_t embeddings = s.network->shape().embeddings.size();
  const auto& layers = s.network->layout().layers;
  const float* parameters = s.network->parameters().data();
  for (std::size_t i = 0; i < embeddings; ++i) s.input.embed(i, parameters + layers[i].weight, s.batch);
  if (!s.convolutions.empty()) s.series.forward(s.convolutions.data(), s.input.points(), s.batch, s.input.pooled());
  const float* x = s.input.values();
  for (std::size_t i = embeddings + s.convolutions.size(); i < layers.size(); ++i) {
    const bool output = i + 1 == layers.size();
    float* y = output ? s.outputs.data() : s.hidden[i % 2].data();
    const LinearView<const float> layer = s.view_of(layers[i]);
    const MatrixShape shape{.rows = s.batch, .width = layer.outputs, .stride = layer.outputs};
    linear_forward(layer, {x, layer.inputs}, {y, layer.outputs}, s.batch);
    if (output) {
      s.penultimate = x;
      add_bias(layer.bias, y, shape);
    } else {
      add_bias_activate(s.network->shape().activation, layer.bias, y, shape);
    }
    x = y;
  }
  return {s.outputs.data(), static_cast<std::size_t>(s.input.rows() * s.network->shape().outputs)};
}

std::span<const float> JudgingPass::penultimate() const {
  return {state_->penultimate, static_cast<std::size_t>(state_->input.rows() * penultimate_width())};
}

std::int64_t JudgingPass::penultimate_width() const { return state_->network->layout().layers.back().columns; }

}  // namespace hiple::engine
