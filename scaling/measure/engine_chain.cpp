#include "scaling/measure/engine_chain.hpp"

#include <algorithm>

#include "engine/kernels_activation.hpp"
#include "engine/kernels_product.hpp"
#include "engine/layer.hpp"

namespace hiple::scaling {

namespace {

std::size_t numbers(std::int64_t rows, std::int64_t width) { return static_cast<std::size_t>(rows * width); }

engine::RowsView<const float> view(Rows rows) { return {rows.values, rows.stride}; }

}  // namespace

EngineChain::EngineChain(const ChainShape& shape, ComputeClock& clock)
    : shape_(shape), clock_(clock), layers_(lay_out(shape.widths)) {
  std::array<std::size_t, 2> widest = {0, 0};
  std::int64_t scratch = 0;
  for (std::size_t place = 0; place <= layers_.size(); ++place) {
    values_.push_back(allocate(bytes_, numbers(shape.rows, stride(place))));
    widest[place % 2] = std::max(widest[place % 2], numbers(shape.rows, stride(place)));
  }
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    slopes_.push_back(allocate(bytes_, has_activation(i) ? numbers(shape.rows, layers_[i].outputs) : 0));
    scratch = std::max(scratch, engine::input_gradient_scratch(layers_[i].inputs, layers_[i].outputs));
  }
  for (std::size_t i = 0; i < gradients_.size(); ++i) gradients_[i] = allocate(bytes_, widest[i]);
  sums_ = allocate(bytes_, static_cast<std::size_t>(*std::ranges::max_element(shape.widths)));
  scratch_ = allocate(bytes_, static_cast<std::size_t>(scratch));
  engine::prepare_products();
}

std::int64_t EngineChain::stride(std::size_t place) const {
  const std::int64_t width = shape_.widths[place];
  return shape_.is_linear_at_end && place == layers_.size() ? width : engine::good_stride(width);
}

Rows EngineChain::values(std::size_t place) { return {values_[place].data(), stride(place)}; }
Rows EngineChain::gradient(std::size_t place) { return {gradients_[place % 2].data(), stride(place)}; }

void EngineChain::multiply(std::size_t layer, const float* weight) {
  const ComputeClock::Piece piece(clock_);
  const Rows y = values(layer + 1);
  engine::use_threads(1);
  engine::linear_forward({weight, nullptr, layers_[layer].inputs, layers_[layer].outputs}, view(values(layer)),
                         {y.values, y.stride}, shape_.rows);
}

void EngineChain::activate(std::size_t layer, const float* bias) {
  const ComputeClock::Piece piece(clock_);
  const Rows y = values(layer + 1);
  const engine::MatrixShape shape{.rows = shape_.rows, .width = layers_[layer].outputs, .stride = y.stride};
  if (has_activation(layer))
    engine::add_bias_activate_training(engine::Activation::relu, false, bias, y.values, slopes_[layer].data(), shape);
  else
    engine::add_bias(bias, y.values, shape);
}

void EngineChain::through_activation(std::size_t layer, float* bias, bool add) {
  const ComputeClock::Piece piece(clock_);
  const Rows dy = gradient(layer + 1);
  const std::int64_t width = layers_[layer].outputs;
  const engine::MatrixShape shape{.rows = shape_.rows, .width = width, .stride = dy.stride};
  float* sums = add ? sums_.data() : bias;
  if (has_activation(layer))
    engine::multiply_by_slope(slopes_[layer].data(), dy.values, sums, shape);
  else
    engine::sum_columns(dy.values, sums, shape);
  for (std::int64_t i = 0; add && i < width; ++i) bias[i] += sums[i];
}

void EngineChain::weight_gradient(std::size_t layer, std::int64_t first, std::int64_t count, float* target, bool add) {
  const ComputeClock::Piece piece(clock_);
  const Rows x = values(layer), dy = gradient(layer + 1);
  const std::int64_t inputs = layers_[layer].inputs;
  engine::use_threads(1);
  engine::product({.values = dy.values + first, .stride = dy.stride, .operand = engine::Operand::transposed},
                  {.values = x.values, .stride = x.stride}, target, inputs, count, inputs, shape_.rows, add);
}

void EngineChain::input_gradient(std::size_t layer, const float* weight) {
  const ComputeClock::Piece piece(clock_);
  const Rows dx = gradient(layer);
  engine::use_threads(1);
  engine::linear_input_gradient({weight, nullptr, layers_[layer].inputs, layers_[layer].outputs}, view(gradient(layer + 1)),
                                {dx.values, dx.stride}, shape_.rows, scratch_.data());
}

}  // namespace hiple::scaling
