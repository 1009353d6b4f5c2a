#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/philox.hpp"
#include "engine/kernels_buffer.hpp"
#include "engine/network_layout.hpp"

namespace hiple::engine {

/// A network's parameters and their gradients: one flat buffer each, as `layout()` divides it. The numbers between the slices
/// are zero and stay zero.
class Network {
 public:
  /// All parameters are zero. Throws Error where a size is not positive or the dropout is not in [0, 1).
  explicit Network(NetworkShape shape);

  /// Weights by He (ReLU, GELU) or Glorot (tanh, output layer; of a convolution by what meets one number), embeddings standard
  /// normal, biases zero: each a pure function of the generator's key (seed and engine name), the layer and the place in it.
  void initialise(const Philox& generator);

  [[nodiscard]] const NetworkShape& shape() const { return shape_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] std::span<float> parameters() { return {parameters_.data(), parameters_.size()}; }
  [[nodiscard]] std::span<const float> parameters() const { return {parameters_.data(), parameters_.size()}; }
  [[nodiscard]] std::span<float> gradients() { return {gradients_.data(), gradients_.size()}; }
  [[nodiscard]] std::span<const float> gradients() const { return {gradients_.data(), gradients_.size()}; }

 private:
  NetworkShape shape_;
  Layout layout_;
  Buffer<float> parameters_, gradients_;
};

/// A table of examples, owned by the caller.
struct Examples {
  std::span<const float> dense;         ///< [rows, inputs + points * channels]: the inputs, then the series point after point
  std::span<const std::int32_t> codes;  ///< [rows, categories]: 0 .. values-1, -1 where missing
};

/// Called with the index of a layer (in layout().layers).
using LayerHook = std::function<void(std::size_t layer)>;
/// Called with a place in the flat buffers: from there to the end, everything is complete.
using PlaceHook = std::function<void(std::size_t begin)>;

/// Forward and backward passes of up to `batch` rows in training. Everything is allocated here: a step allocates nothing.
class TrainingPass {
 public:
  /// `network` outlives the pass. `generator` makes the dropout masks. `threads`: how many threads a step uses; results are
  /// equal bit by bit for the same number.
  TrainingPass(Network& network, std::int64_t batch, const Philox& generator, int threads = 1);
  ~TrainingPass();
  TrainingPass(TrainingPass&&) noexcept;
  TrainingPass& operator=(TrainingPass&&) noexcept;

  /// Copies the examples of these rows into the pass, in this order. Throws Error: more rows than the batch, none, a row or a
  /// code out of range.
  void load(const Examples& examples, std::span<const std::uint32_t> rows);

  /// The network's outputs [rows, outputs] for the rows loaded, with the dropout masks of (epoch, step), each a pure function
  /// of key, epoch, step, layer and place. `before_layer`, which may be empty, runs before a layer's parameters are read.
  std::span<const float> forward(std::uint32_t epoch, std::uint32_t step, const LayerHook& before_layer = {});

  /// Where the loss's gradient by the outputs [rows, outputs] is to be written before backward().
  [[nodiscard]] std::span<float> output_gradient();

  /// The gradient by all parameters, over what network.gradients() held. `after_layer`, which may be empty, runs as soon as a
  /// layer's slice is complete, last layer first.
  void backward(const LayerHook& after_layer = {});

  /// The same, but the gradient by a weight is computed in parts of up to `part` numbers (in whole rows; one at least), last rows
  /// first, and `complete_from` runs after each: for those who pass on what is complete while the rest is computed. Its last
  /// place is 0. Rounding may differ from backward()'s.
  void backward_in_parts(std::size_t part, const PlaceHook& complete_from);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Forward passes without dropout, for judging. A row's result does not depend on which or how many rows are judged with it,
/// nor on its place among them.
class JudgingPass {
 public:
  /// `network` outlives the pass, and may go on training.
  JudgingPass(const Network& network, std::int64_t batch, int threads = 1);
  ~JudgingPass();
  JudgingPass(JudgingPass&&) noexcept;
  JudgingPass& operator=(JudgingPass&&) noexcept;

  [[nodiscard]] std::int64_t batch() const;

  /// The outputs [rows, outputs] of up to batch() examples. Valid until the next call. Throws as TrainingPass::load.
  std::span<const float> forward(const Examples& examples, std::span<const std::uint32_t> rows);

  /// The penultimate layer's activations [rows, penultimate_width()] of the last forward(); without a hidden layer the input
  /// of the output layer.
  [[nodiscard]] std::span<const float> penultimate() const;
  [[nodiscard]] std::int64_t penultimate_width() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple::engine
