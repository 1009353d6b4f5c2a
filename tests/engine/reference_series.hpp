#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/network_layout.hpp"
#include "reference_activation.hpp"

namespace hiple::engine::reference {

/// Convolutions and pooling in double precision, one number after the other: what the fast ones must agree with.
class Series {
 public:
  /// `layers`: the slices of the convolutions.
  Series(const SeriesShape& shape, Activation activation, std::vector<LayerSlice> layers)
      : shape_(shape), activation_(activation), layers_(std::move(layers)) {}

  /// Pooled numbers [rows, pooled] of points [rows, length, channels]; keeps what backward() needs.
  std::vector<double> forward(const std::vector<double>& parameters, const std::vector<double>& points, std::size_t rows) {
    before_.clear();
    after_.assign(1, points);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      std::vector<double> sums(rows * places(i + 1) * channels(i + 1));
      for_each_product(i, rows, [&](std::size_t sum, std::size_t weight, std::size_t number) {
        sums[sum] += parameters[weight] * after_[i][number];
      });
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += parameters[layers_[i].bias + k % channels(i + 1)];
      before_.push_back(sums);
      for (double& value : sums) value = activate(activation_, value);
      after_.push_back(std::move(sums));
    }
    return pool(rows);
  }

  /// The gradient by all parameters of the convolutions, added, from the one by the pooled numbers.
  void backward(const std::vector<double>& parameters, std::size_t rows, const std::vector<double>& by_pooled,
                std::vector<double>& gradient) const {
    std::vector<double> dy = unpool(rows, by_pooled);
    for (std::size_t i = layers_.size(); i-- > 0;) {
      std::vector<double> dx(after_[i].size());
      for (std::size_t k = 0; k < dy.size(); ++k) {
        dy[k] *= slope(activation_, before_[i][k]);
        gradient[layers_[i].bias + k % channels(i + 1)] += dy[k];
      }
      for_each_product(i, rows, [&](std::size_t sum, std::size_t weight, std::size_t number) {
        gradient[weight] += dy[sum] * after_[i][number];
        dx[number] += dy[sum] * parameters[weight];
      });
      dy = std::move(dx);
    }
  }

 private:
  [[nodiscard]] std::size_t places(std::size_t count) const { return static_cast<std::size_t>(shape_.places_after(count)); }
  [[nodiscard]] std::size_t channels(std::size_t count) const { return static_cast<std::size_t>(shape_.channels_after(count)); }

  /// Calls visit(place of a sum, of a weight, of the number below that it multiplies).
  template <typename Visit>
  void for_each_product(std::size_t index, std::size_t rows, const Visit& visit) const {
    const auto kernel = static_cast<std::size_t>(shape_.convolutions[index].kernel);
    const auto stride = static_cast<std::size_t>(shape_.convolutions[index].stride);
    const std::size_t below = channels(index), above = channels(index + 1);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t place = 0; place < places(index + 1); ++place) {
        for (std::size_t channel = 0; channel < above; ++channel) {
          for (std::size_t k = 0; k < kernel; ++k) {
            for (std::size_t c = 0; c < below; ++c) {
              visit((row * places(index + 1) + place) * above + channel,
                    layers_[index].weight + (channel * kernel + k) * below + c,
                    (row * places(index) + place * stride + k) * below + c);
            }
          }
        }
      }
    }
  }

  /// Where the largest number of a channel is: the first one.
  [[nodiscard]] std::size_t largest(std::size_t row, std::size_t channel) const {
    const std::size_t all = places(layers_.size()), width = channels(layers_.size());
    std::size_t best = row * all * width + channel;
    for (std::size_t place = 1; place < all; ++place) {
      const std::size_t next = (row * all + place) * width + channel;
      if (after_.back()[next] > after_.back()[best]) best = next;
    }
    return best;
  }

  [[nodiscard]] std::vector<double> pool(std::size_t rows) const {
    const std::size_t all = places(layers_.size()), width = channels(layers_.size());
    std::vector<double> pooled;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto begin = after_.back().begin() + static_cast<std::ptrdiff_t>(row * all * width);
      if (shape_.pool == Pool::none) pooled.insert(pooled.end(), begin, begin + static_cast<std::ptrdiff_t>(all * width));
      for (std::size_t channel = 0; has_mean() && channel < width; ++channel) {
        double sum = 0;
        for (std::size_t place = 0; place < all; ++place) sum += begin[static_cast<std::ptrdiff_t>(place * width + channel)];
        pooled.push_back(sum / static_cast<double>(all));
      }
      for (std::size_t channel = 0; has_max() && channel < width; ++channel)
        pooled.push_back(after_.back()[largest(row, channel)]);
    }
    return pooled;
  }

  [[nodiscard]] std::vector<double> unpool(std::size_t rows, const std::vector<double>& by_pooled) const {
    if (shape_.pool == Pool::none) return by_pooled;
    const std::size_t all = places(layers_.size()), width = channels(layers_.size());
    std::vector<double> result(rows * all * width);
    std::size_t next = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t channel = 0; has_mean() && channel < width; ++channel, ++next) {
        for (std::size_t place = 0; place < all; ++place)
          result[(row * all + place) * width + channel] += by_pooled[next] / static_cast<double>(all);
      }
      for (std::size_t channel = 0; has_max() && channel < width; ++channel, ++next)
        result[largest(row, channel)] += by_pooled[next];
    }
    return result;
  }

  [[nodiscard]] bool has_mean() const { return shape_.pool == Pool::mean || shape_.pool == Pool::mean_max; }
  [[nodiscard]] bool has_max() const { return shape_.pool == Pool::max || shape_.pool == Pool::mean_max; }

  SeriesShape shape_;
  Activation activation_;
  std::vector<LayerSlice> layers_;
  std::vector<std::vector<double>> before_, after_;  // each convolution's sums; the points and each convolution's values
};

}  // namespace hiple::engine::reference
