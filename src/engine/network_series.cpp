#include "engine/network_series.hpp"

#include <algorithm>
#include <utility>

#include "engine/kernels_activation.hpp"

namespace hiple::engine {

namespace {

std::size_t size_of(std::int64_t rows, std::int64_t columns) { return static_cast<std::size_t>(rows * columns); }

/// The most numbers that a case's patches take, and what is made of them, over all convolutions.
struct Largest {
  std::int64_t patches = 0, values = 0;
};

Largest largest_of(const SeriesShape& series) {
  Largest most;
  for (std::size_t i = 0; i < series.convolutions.size(); ++i) {
    const PatchShape shape = patch_shape(series, i);
    most.patches = std::max(most.patches, shape.places() * shape.width());
    most.values = std::max(most.values, shape.places() * series.convolutions[i].channels);
  }
  return most;
}

/// All rows of a matrix without gaps.
MatrixShape matrix(std::int64_t rows, std::int64_t width) { return {.rows = rows, .width = width, .stride = width}; }

}  // namespace

PatchShape patch_shape(const SeriesShape& series, std::size_t index) {
  const ConvolutionShape& convolution = series.convolutions[index];
  return {series.places_after(index), series.channels_after(index), convolution.kernel, convolution.stride};
}

PlacesShape places_shape(const SeriesShape& series) {
  const std::size_t all = series.convolutions.size();
  return {series.places_after(all), series.channels_after(all)};
}

SeriesTraining::SeriesTraining(const SeriesShape& series, Activation activation, std::int64_t batch)
    : series_(series), activation_(activation), largest_(size_of(batch, places_shape(series).channels)) {
  const Largest most = largest_of(series);
  gradient_ = Buffer<float>(size_of(batch, most.values));
  next_gradient_ = Buffer<float>(size_of(batch, most.values));
  patch_gradient_ = Buffer<float>(size_of(batch, most.patches));
  for (std::size_t i = 0; i < series.convolutions.size(); ++i) {
    const PatchShape shape = patch_shape(series, i);
    const std::int64_t channels = series.convolutions[i].channels, rows = batch * shape.places();
    layers_.push_back({shape, channels, Buffer<float>(size_of(rows, shape.width())), Buffer<float>(size_of(rows, channels)),
                       Buffer<float>(size_of(rows, channels))});
  }
}

std::int64_t SeriesTraining::largest_scratch() const {
  std::int64_t numbers = 0;
  for (const Layer& layer : layers_) numbers = std::max(numbers, input_gradient_scratch(layer.shape.width(), layer.channels));
  return numbers;
}

void SeriesTraining::forward(std::size_t index, const LinearView<const float>& layer, const float* points, std::int64_t rows) {
  Layer& made = layers_[index];
  gather_patches(made.shape, rows, index == 0 ? points : layers_[index - 1].values.data(), made.patches.data());
  const std::int64_t all = patch_rows(index, rows);
  linear_forward(layer, patches(index), {made.values.data(), made.channels}, all);
  add_bias_activate_training(activation_, false, layer.bias, made.values.data(), made.slope.data(), matrix(all, made.channels));
}

void SeriesTraining::pool(std::int64_t rows, RowsView<float> pooled) {
  pool_forward(series_.pool, places_shape(series_), rows, layers_.back().values.data(), pooled, largest_.data());
}

void SeriesTraining::pool_gradient(std::int64_t rows, RowsView<const float> pooled) {
  pool_backward(series_.pool, places_shape(series_), rows, pooled, largest_.data(), gradient_.data());
}

RowsView<const float> SeriesTraining::through_activation(std::size_t index, std::int64_t rows, float* bias) {
  const Layer& made = layers_[index];
  multiply_by_slope(made.slope.data(), gradient_.data(), bias, matrix(patch_rows(index, rows), made.channels));
  return {gradient_.data(), made.channels};
}

RowsView<const float> SeriesTraining::patches(std::size_t index) const {
  return {layers_[index].patches.data(), layers_[index].shape.width()};
}

void SeriesTraining::input_gradient(std::size_t index, const LinearView<const float>& layer, std::int64_t rows, float* scratch) {
  const Layer& made = layers_[index];
  linear_input_gradient(layer, {gradient_.data(), made.channels}, {patch_gradient_.data(), made.shape.width()},
                        patch_rows(index, rows), scratch);
  scatter_patches(made.shape, rows, patch_gradient_.data(), next_gradient_.data());
  std::swap(gradient_, next_gradient_);
}

SeriesJudging::SeriesJudging(const SeriesShape& series, Activation activation, std::int64_t block)
    : series_(series), activation_(activation), block_(block) {
  const Largest most = largest_of(series);
  patches_ = Buffer<float>(size_of(block, most.patches));
  values_ = Buffer<float>(size_of(block, most.values));
  next_values_ = Buffer<float>(size_of(block, most.values));
}

void SeriesJudging::forward(const LinearView<const float>* layers, const float* points, std::int64_t rows,
                            RowsView<float> pooled) {
  for (std::int64_t first = 0; first < rows; first += block_) {
    const float* below = points + first * series_.numbers();
    for (std::size_t i = 0; i < series_.convolutions.size(); ++i) {
      const PatchShape shape = patch_shape(series_, i);
      const std::int64_t channels = layers[i].outputs, all = block_ * shape.places();
      gather_patches(shape, block_, below, patches_.data());
      linear_forward(layers[i], {patches_.data(), shape.width()}, {next_values_.data(), channels}, all);
      add_bias_activate(activation_, layers[i].bias, next_values_.data(), matrix(all, channels));
      std::swap(values_, next_values_);
      below = values_.data();
    }
    pool_forward(series_.pool, places_shape(series_), block_, below, {pooled.values + first * pooled.stride, pooled.stride},
                 nullptr);
  }
}

}  // namespace hiple::engine
