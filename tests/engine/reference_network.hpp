#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/network_layout.hpp"
#include "reference_activation.hpp"
#include "reference_series.hpp"

namespace hiple::engine::reference {

/// A network in double precision, in plain loops and without any library: what the fast one must agree with. Parameters and
/// gradients lie as Layout says.
class Network {
 public:
  explicit Network(const NetworkShape& shape)
      : shape_(shape), layout_(shape), series_(shape.series, shape.activation, convolutions()), parameters(layout_.size) {}

  /// One batch: dense [rows, inputs, and the series point after point], codes [rows, categories], and the dropout factors [rows,
  /// width] of each hidden layer (empty: 1 each).
  struct Batch {
    std::size_t rows = 0;
    std::vector<double> dense;
    std::vector<std::int32_t> codes;
    std::vector<std::vector<double>> factors;
  };

  /// Outputs [rows, outputs]; keeps what backward() needs.
  std::vector<double> forward(const Batch& batch) {
    before_.clear();
    after_.assign(1, first_input(batch));
    const std::size_t hidden = shape_.hidden.size();
    for (std::size_t i = 0; i <= hidden; ++i) {
      before_.push_back(linear(layer(i), after_.back(), batch.rows));
      if (i == hidden) break;
      std::vector<double> values = before_.back();
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = activate(shape_.activation, values[k]) * factor(batch, i, k);
      after_.push_back(std::move(values));
    }
    return before_.back();
  }

  /// The gradient by all parameters, from the one by the outputs.
  [[nodiscard]] std::vector<double> backward(const Batch& batch, std::vector<double> dy) const {
    std::vector<double> gradient(layout_.size);
    for (std::size_t i = shape_.hidden.size() + 1; i-- > 0;) {
      const std::vector<double> dx = linear_backward(layer(i), after_[i], dy, batch.rows, gradient);
      if (i == 0) {
        input_backward(batch, dx, gradient);
        break;
      }
      dy = dx;
      for (std::size_t k = 0; k < dy.size(); ++k) dy[k] *= slope(shape_.activation, before_[i - 1][k]) * factor(batch, i - 1, k);
    }
    return gradient;
  }

  [[nodiscard]] const Layout& layout() const { return layout_; }

 private:
  [[nodiscard]] std::size_t first_linear() const { return shape_.embeddings.size() + shape_.series.convolutions.size(); }
  [[nodiscard]] const LayerSlice& layer(std::size_t linear) const { return layout_.layers[first_linear() + linear]; }
  [[nodiscard]] std::vector<LayerSlice> convolutions() const {
    const auto begin = layout_.layers.begin() + static_cast<std::ptrdiff_t>(shape_.embeddings.size());
    return {begin, begin + static_cast<std::ptrdiff_t>(shape_.series.convolutions.size())};
  }

  [[nodiscard]] static double factor(const Batch& batch, std::size_t hidden, std::size_t index) {
    return batch.factors.empty() ? 1.0 : batch.factors[hidden][index];
  }

  [[nodiscard]] std::vector<double> first_input(const Batch& batch) {
    std::vector<double> values, points, pooled;
    const auto inputs = static_cast<std::size_t>(shape_.inputs), width = static_cast<std::size_t>(shape_.dense_width());
    for (std::size_t row = 0; row < batch.rows; ++row) {
      for (std::size_t i = inputs; i < width; ++i) points.push_back(batch.dense[row * width + i]);
    }
    if (!shape_.series.empty()) pooled = series_.forward(parameters, points, batch.rows);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      for (std::size_t i = 0; i < inputs; ++i) values.push_back(batch.dense[row * width + i]);
      for_each_embedded(batch, row, [&](std::size_t parameter) { values.push_back(parameters[parameter]); });
      for (std::size_t i = 0; i < pooled_width(); ++i) values.push_back(pooled[row * pooled_width() + i]);
    }
    return values;
  }

  void input_backward(const Batch& batch, const std::vector<double>& dx, std::vector<double>& gradient) const {
    std::vector<double> by_pooled;
    std::size_t next = 0;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      next += static_cast<std::size_t>(shape_.inputs);
      for_each_embedded(batch, row, [&](std::size_t parameter) { gradient[parameter] += dx[next++]; });
      for (std::size_t i = 0; i < pooled_width(); ++i) by_pooled.push_back(dx[next++]);
    }
    if (!shape_.series.empty()) series_.backward(parameters, batch.rows, by_pooled, gradient);
  }

  [[nodiscard]] std::size_t pooled_width() const { return static_cast<std::size_t>(shape_.series.pooled()); }

  /// Calls visit(place of the parameter) for each embedded number of a row.
  void for_each_embedded(const Batch& batch, std::size_t row, const std::function<void(std::size_t)>& visit) const {
    const std::size_t categories = shape_.embeddings.size();
    for (std::size_t i = 0; i < categories; ++i) {
      const auto code = static_cast<std::size_t>(batch.codes[row * categories + i] + 1);
      const auto width = static_cast<std::size_t>(shape_.embeddings[i].width);
      for (std::size_t k = 0; k < width; ++k) visit(layout_.layers[i].weight + code * width + k);
    }
  }

  [[nodiscard]] std::vector<double> linear(const LayerSlice& slice, const std::vector<double>& x, std::size_t rows) const {
    const auto inputs = static_cast<std::size_t>(slice.columns), outputs = static_cast<std::size_t>(slice.rows);
    std::vector<double> y(rows * outputs);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t o = 0; o < outputs; ++o) {
        double sum = parameters[slice.bias + o];
        for (std::size_t i = 0; i < inputs; ++i) sum += x[row * inputs + i] * parameters[slice.weight + o * inputs + i];
        y[row * outputs + o] = sum;
      }
    }
    return y;
  }

  [[nodiscard]] std::vector<double> linear_backward(const LayerSlice& slice, const std::vector<double>& x,
                                                    const std::vector<double>& dy, std::size_t rows,
                                                    std::vector<double>& gradient) const {
    const auto inputs = static_cast<std::size_t>(slice.columns), outputs = static_cast<std::size_t>(slice.rows);
    std::vector<double> dx(rows * inputs);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t o = 0; o < outputs; ++o) {
        const double d = dy[row * outputs + o];
        gradient[slice.bias + o] += d;
        for (std::size_t i = 0; i < inputs; ++i) {
          gradient[slice.weight + o * inputs + i] += d * x[row * inputs + i];
          dx[row * inputs + i] += d * parameters[slice.weight + o * inputs + i];
        }
      }
    }
    return dx;
  }

  NetworkShape shape_;
  Layout layout_;
  Series series_;
  std::vector<std::vector<double>> before_, after_;  // each layer's sums; the first input and each hidden layer's values

 public:
  std::vector<double> parameters;
};

}  // namespace hiple::engine::reference
