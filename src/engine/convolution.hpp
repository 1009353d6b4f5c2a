#pragma once

#include <cstdint>

#include "engine/layer.hpp"
#include "engine/network_layout.hpp"

namespace hiple::engine {

/// What a convolution reads: of each case `length` points of `channels` numbers, one case after the other without gaps. A
/// patch is what it reads for one of its places: `kernel` points, which lie side by side, so that the convolution is a
/// linear layer over patches [cases * places, kernel * channels], and its result again a series without gaps.
struct PatchShape {
  std::int64_t length = 0, channels = 0, kernel = 0, stride = 1;

  [[nodiscard]] std::int64_t places() const { return (length - kernel) / stride + 1; }
  [[nodiscard]] std::int64_t width() const { return kernel * channels; }
};

/// Copies the patches of `rows` cases: patches [rows * places, width].
void gather_patches(const PatchShape& shape, std::int64_t rows, const float* points, float* patches);

/// The reverse for gradients: points [rows, length, channels] = the sum of all that was copied from each, patch after patch.
void scatter_patches(const PatchShape& shape, std::int64_t rows, const float* patches, float* points);

/// What a pooling reads: of each case `places` places of `channels` numbers, without gaps.
struct PlacesShape {
  std::int64_t places = 0, channels = 0;
};

/// Pools each case into its row of `pooled`. `largest` [rows, channels], which may be null in judging, gets the place of each
/// maximum: the first one where several are equal, and one of a NaN where there is any.
void pool_forward(Pool pool, const PlacesShape& shape, std::int64_t rows, const float* values, RowsView<float> pooled,
                  std::int32_t* largest);

/// The gradient by the values [rows, places, channels] from the one by the pooled numbers.
void pool_backward(Pool pool, const PlacesShape& shape, std::int64_t rows, RowsView<const float> pooled,
                   const std::int32_t* largest, float* values);

}  // namespace hiple::engine
