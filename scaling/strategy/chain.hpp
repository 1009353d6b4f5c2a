#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scaling/strategy/layer_place.hpp"
#include "scaling/strategy/moving.hpp"

namespace hiple::scaling {

/// What a chain is made for.
struct ChainShape {
  std::vector<std::int64_t> widths;  ///< from the first layer's inputs to the last one's outputs
  std::int64_t rows = 0;             ///< of every pass
  bool is_linear_at_end = false;     ///< the last layer gives outputs as they are; else it has its ReLU too
};

/// The arithmetic of linear layers one after the other, ReLU behind each. Parameters and their gradients belong to whoever calls,
/// who may have any part of them anywhere; a chain holds what one pass over its rows leaves behind for the way back.
///
/// Place i of a pass is what goes into layer i; place n, with n layers, is what comes out of the last one.
class Chain {
 public:
  virtual ~Chain() = default;

  /// As lay_out() of its widths.
  [[nodiscard]] virtual const std::vector<LayerPlace>& layers() const = 0;
  /// What is at place i, and the gradient by it. The gradient at place i shares its memory with that at place i + 2.
  [[nodiscard]] virtual Rows values(std::size_t place) = 0;
  [[nodiscard]] virtual Rows gradient(std::size_t place) = 0;

  /// values(i + 1) = values(i) weight^T: without the bias.
  virtual void multiply(std::size_t layer, const float* weight) = 0;
  /// Adds the bias to values(i + 1) and applies the activation.
  virtual void activate(std::size_t layer, const float* bias) = 0;

  /// Takes gradient(i + 1) back through the activation, and writes the gradient by the bias; or adds it to what is there.
  virtual void through_activation(std::size_t layer, float* bias, bool add) = 0;
  /// The gradient by `count` rows of the weight from row `first` on, written to `target` or added to what is there.
  virtual void weight_gradient(std::size_t layer, std::int64_t first, std::int64_t count, float* target, bool add) = 0;
  /// gradient(i) = gradient(i + 1) weight.
  virtual void input_gradient(std::size_t layer, const float* weight) = 0;

  /// What it allocated.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Rows of a layer's weight gradient that are computed between two looks at what is under way, 1 MiB: a layer of millions of
/// parameters keeps a core busy for tens of milliseconds, in which nobody would move a message on; smaller parts make the
/// products slower. One at least.
std::int64_t rows_at_a_time(const LayerPlace& layer);

}  // namespace hiple::scaling
