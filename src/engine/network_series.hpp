#pragma once

#include <cstdint>
#include <vector>

#include "engine/convolution.hpp"
#include "engine/kernels_buffer.hpp"
#include "engine/layer.hpp"
#include "engine/network_layout.hpp"

namespace hiple::engine {

/// What convolution `index` of a network reads.
PatchShape patch_shape(const SeriesShape& series, std::size_t index);
/// What its pooling reads.
PlacesShape places_shape(const SeriesShape& series);

/// The convolutions and the pooling of up to `batch` cases in training. Everything is allocated here.
class SeriesTraining {
 public:
  SeriesTraining(const SeriesShape& series, Activation activation, std::int64_t batch);

  [[nodiscard]] std::size_t convolutions() const { return layers_.size(); }
  /// Numbers of scratch memory that input_gradient() wants at most.
  [[nodiscard]] std::int64_t largest_scratch() const;

  /// Convolution `index` of `rows` cases, with its activation; the first one reads `points` [rows, length, channels].
  void forward(std::size_t index, const LinearView<const float>& layer, const float* points, std::int64_t rows);
  /// The pooled numbers of the last convolution, after forward() of all.
  void pool(std::int64_t rows, RowsView<float> pooled);

  /// Begins the way back, from the gradient by the pooled numbers.
  void pool_gradient(std::int64_t rows, RowsView<const float> pooled);
  /// Changes the gradient by what convolution `index` made into that by what went into its activation, and returns it [rows *
  /// places, channels]; `bias` gets the bias's.
  RowsView<const float> through_activation(std::size_t index, std::int64_t rows, float* bias);
  /// The patches that convolution `index` read.
  [[nodiscard]] RowsView<const float> patches(std::size_t index) const;
  /// Rows of the two, for so many cases.
  [[nodiscard]] std::int64_t patch_rows(std::size_t index, std::int64_t rows) const {
    return rows * layers_[index].shape.places();
  }
  /// The gradient by what convolution `index`, not the first one, read.
  void input_gradient(std::size_t index, const LinearView<const float>& layer, std::int64_t rows, float* scratch);

 private:
  struct Layer {
    PatchShape shape;
    std::int64_t channels = 0;
    Buffer<float> patches;        ///< [batch * places, kernel * channels below]
    Buffer<float> values, slope;  ///< [batch * places, channels]: after the activation, and its derivative
  };

  SeriesShape series_;
  Activation activation_;
  std::vector<Layer> layers_;
  Buffer<std::int32_t> largest_;            ///< [batch, channels of the last convolution]
  Buffer<float> gradient_, next_gradient_;  ///< by what a convolution made, and by what the one below made
  Buffer<float> patch_gradient_;
};

/// The same for judging, a block of cases at a time: little memory, and always products of the same shapes.
class SeriesJudging {
 public:
  SeriesJudging(const SeriesShape& series, Activation activation, std::int64_t block);

  /// Pools `rows` cases, a whole number of blocks. `layers`: those of the convolutions.
  void forward(const LinearView<const float>* layers, const float* points, std::int64_t rows, RowsView<float> pooled);

 private:
  SeriesShape series_;
  Activation activation_;
  std::int64_t block_;
  Buffer<float> patches_, values_, next_values_;
};

}  // namespace hiple::engine
