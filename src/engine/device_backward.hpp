#pragma once

#include <algorithm>
#include <vector>

#include "engine/device_forward.hpp"

namespace hiple::engine::device {

/// The way back of a training step: gradients by all parameters.
template <class Platform>
class Backward {
 public:
  Backward(Platform& platform, const NetworkShape& shape, const Layout& layout, std::int64_t rows,
           const Forward<Platform>& forward)
      : shape_(shape), layout_(layout), fused_(forward.fused()), learned_(shape.first_width() - shape.inputs) {
    std::int64_t widest = learned_;
    for (const std::int64_t width : shape.hidden) widest = std::max(widest, width);
    output_gradient = platform.template array<float>(filled_up(rows, shape.outputs));
    for (auto& gradient : gradients_) gradient = platform.template array<float>(filled_up(rows, widest));
    by_weight_.reserve(forward.layers.size());
    by_input_.reserve(forward.layers.size());
    for (std::size_t i = 0; i < forward.layers.size(); ++i) {
      const LayerSlice& slice = this->slice(i);
      by_weight_.push_back(platform.product(weight_gradient_product(slice.columns, slice.rows, rows)));
      const std::int64_t first = i == 0 ? shape.inputs : 0;
      if (i == 0 && learned_ == 0) {
        by_input_.emplace_back();
        continue;
      }
      const Epilogue epilogue = i > 0 && fused_ ? Epilogue::relu_gradient : Epilogue::none;
      by_input_.push_back(platform.product(input_gradient_product(slice.columns, slice.rows, rows, first, epilogue)));
    }
  }

  void run(Platform& platform, const Current& current, const Table& table, const Embeddings<Platform>& embeddings,
           Forward<Platform>& forward, float* parameters, float* gradients) {
    float* dy = output_gradient.data();
    for (std::size_t i = forward.layers.size(); i-- > 0;) {
      const LayerSlice& slice = this->slice(i);
      const float* x = i == 0 ? forward.input.data() : forward.layers[i - 1].values.data();
      platform.multiply(by_weight_[i], {x, dy, gradients + slice.weight, gradients + slice.bias, nullptr});
      if (i == 0 && learned_ == 0) return;
      float* dx = gradients_[i % 2].data();
      const auto first = static_cast<std::size_t>(i == 0 ? shape_.inputs : 0);
      void* mask = i > 0 && fused_ ? forward.layers[i - 1].mask.data() : nullptr;
      platform.multiply(by_input_[i], {parameters + slice.weight + first, dy, dx, nullptr, mask});
      if (i > 0 && !fused_)
        platform.for_each(forward.layers[i - 1].slope.size() / 4, MultiplyBySlope{forward.layers[i - 1].slope.data(), dx});
      dy = dx;
    }
    platform.for_each(embeddings.largest * embeddings.learned,
                      EmbeddingGradient{current, table, embeddings.columns.data(), embeddings.lines.data(), dy,
                                        embeddings.learned, static_cast<std::uint32_t>(shape_.embeddings.size()), gradients});
  }

  typename Platform::template Array<float> output_gradient;

 private:
  [[nodiscard]] const LayerSlice& slice(std::size_t linear) const { return layout_.layers[shape_.embeddings.size() + linear]; }

  NetworkShape shape_;
  Layout layout_;
  bool fused_;
  std::int64_t learned_;  // columns of the input whose gradient is wanted
  std::vector<typename Platform::Product> by_weight_, by_input_;
  typename Platform::template Array<float> gradients_[2];
};

/// Adam over the flat buffers, with the gradient's norm where it is clipped.
template <class Platform>
class Optimizer {
 public:
  Optimizer(Platform& platform, std::size_t size, double clip)
      : first(platform.template array<float>(size)), second(platform.template array<float>(size)), clip_(clip) {
    if (clip > 0) {
      many_ = platform.template array<double>(many);
      few_ = platform.template array<double>(few);
      one_ = platform.template array<double>(1);
    }
  }

  void run(Platform& platform, const Current& current, float* parameters, const float* gradients) {
    if (clip_ > 0) {
      platform.for_each(many, SumSquares{gradients, first.size(), many, many_.data()});
      platform.for_each(few, SumParts{many_.data(), many, many / few, few_.data()});
      platform.for_each(1, SumParts{few_.data(), few, few, one_.data()});
    }
    platform.for_each(first.size() / 4,
                      UpdateParameters{current, clip_, one_.data(), gradients, parameters, first.data(), second.data()});
  }

  typename Platform::template Array<float> first, second;

 private:
  static constexpr std::size_t many = 65536, few = 256;
  double clip_;
  typename Platform::template Array<double> many_, few_, one_;
};

}  // namespace hiple::engine::device
