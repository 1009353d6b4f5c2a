#include "engine/convolution.hpp"

#include <algorithm>
#include <cmath>

namespace hiple::engine {

void gather_patches(const PatchShape& shape, std::int64_t rows, const float* points, float* patches) {
  const std::int64_t places = shape.places(), width = shape.width(), step = shape.stride * shape.channels;
  for (std::int64_t row = 0; row < rows; ++row, points += shape.length * shape.channels) {
    for (std::int64_t place = 0; place < places; ++place, patches += width) std::copy_n(points + place * step, width, patches);
  }
}

void scatter_patches(const PatchShape& shape, std::int64_t rows, const float* patches, float* points) {
  const std::int64_t places = shape.places(), width = shape.width(), step = shape.stride * shape.channels;
  const std::int64_t numbers = shape.length * shape.channels;
  std::fill_n(points, rows * numbers, 0.0F);
  for (std::int64_t row = 0; row < rows; ++row, points += numbers) {
    for (std::int64_t place = 0; place < places; ++place, patches += width) {
      float* target = points + place * step;
      for (std::int64_t i = 0; i < width; ++i) target[i] += patches[i];
    }
  }
}

namespace {

void mean_of(const PlacesShape& shape, const float* values, float* mean) {
  std::fill_n(mean, shape.channels, 0.0F);
  for (std::int64_t place = 0; place < shape.places; ++place) {
    for (std::int64_t k = 0; k < shape.channels; ++k) mean[k] += values[place * shape.channels + k];
  }
  const auto places = static_cast<float>(shape.places);
  for (std::int64_t k = 0; k < shape.channels; ++k) mean[k] /= places;
}

void largest_of(const PlacesShape& shape, const float* values, float* most, std::int32_t* where) {
  std::copy_n(values, shape.channels, most);
  if (where != nullptr) std::fill_n(where, shape.channels, 0);
  for (std::int64_t place = 1; place < shape.places; ++place) {
    for (std::int64_t k = 0; k < shape.channels; ++k) {
      const float value = values[place * shape.channels + k];
      if (!(value > most[k] || std::isnan(value))) continue;  // a NaN stays, for nothing is larger
      most[k] = value;
      if (where != nullptr) where[k] = static_cast<std::int32_t>(place);
    }
  }
}

}  // namespace

void pool_forward(Pool pool, const PlacesShape& shape, std::int64_t rows, const float* values, RowsView<float> pooled,
                  std::int32_t* largest) {
  const std::int64_t numbers = shape.places * shape.channels;
  for (std::int64_t row = 0; row < rows; ++row, values += numbers) {
    float* target = pooled.values + row * pooled.stride;
    std::int32_t* where = largest == nullptr ? nullptr : largest + row * shape.channels;
    if (pool == Pool::none) std::copy_n(values, numbers, target);
    if (pool == Pool::mean || pool == Pool::mean_max) mean_of(shape, values, target);
    if (pool == Pool::mean_max) target += shape.channels;
    if (pool == Pool::max || pool == Pool::mean_max) largest_of(shape, values, target, where);
  }
}

void pool_backward(Pool pool, const PlacesShape& shape, std::int64_t rows, RowsView<const float> pooled,
                   const std::int32_t* largest, float* values) {
  const std::int64_t numbers = shape.places * shape.channels;
  const auto places = static_cast<float>(shape.places);
  for (std::int64_t row = 0; row < rows; ++row, values += numbers) {
    const float* source = pooled.values + row * pooled.stride;
    if (pool == Pool::none) {
      std::copy_n(source, numbers, values);
      continue;
    }
    if (pool == Pool::max) std::fill_n(values, numbers, 0.0F);
    for (std::int64_t place = 0; place < shape.places && pool != Pool::max; ++place) {
      for (std::int64_t k = 0; k < shape.channels; ++k) values[place * shape.channels + k] = source[k] / places;
    }
    if (pool == Pool::mean) continue;
    if (pool == Pool::mean_max) source += shape.channels;
    const std::int32_t* where = largest + row * shape.channels;
    for (std::int64_t k = 0; k < shape.channels; ++k) values[where[k] * shape.channels + k] += source[k];
  }
}

}  // namespace hiple::engine
