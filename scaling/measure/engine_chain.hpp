#pragma once

#include <array>

#include "scaling/measure/stretch.hpp"
#include "scaling/strategy/chain.hpp"
#include "scaling/strategy/held.hpp"

namespace hiple::scaling {

/// Chain on the engines' kernels: what engine::TrainingPass does, layer by layer. One thread. Its time is noted in a clock.
class EngineChain : public Chain {
 public:
  /// `clock` outlives it.
  EngineChain(const ChainShape& shape, ComputeClock& clock);

  [[nodiscard]] const std::vector<LayerPlace>& layers() const override { return layers_; }
  [[nodiscard]] Rows values(std::size_t place) override;
  [[nodiscard]] Rows gradient(std::size_t place) override;
  void multiply(std::size_t layer, const float* weight) override;
  void activate(std::size_t layer, const float* bias) override;
  void through_activation(std::size_t layer, float* bias, bool add) override;
  void weight_gradient(std::size_t layer, std::int64_t first, std::int64_t count, float* target, bool add) override;
  void input_gradient(std::size_t layer, const float* weight) override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  [[nodiscard]] bool has_activation(std::size_t layer) const { return !shape_.is_linear_at_end || layer + 1 < layers_.size(); }
  /// From row to row at a place: outputs of the network have no gaps, as the loss wants them.
  [[nodiscard]] std::int64_t stride(std::size_t place) const;

  ChainShape shape_;
  ComputeClock& clock_;
  std::vector<LayerPlace> layers_;
  std::uint64_t bytes_ = 0;
  std::vector<Numbers> values_;       // of each place
  std::vector<Numbers> slopes_;       // of each layer with an activation
  std::array<Numbers, 2> gradients_;  // of places with even and odd numbers
  Numbers sums_;                      // a bias's gradient that is added to another
  Numbers scratch_;                   // of linear_input_gradient()
};

}  // namespace hiple::scaling
