#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "scaling/strategy/held.hpp"

namespace hiple::scaling {

/// A part of the flat buffers, in numbers.
struct Range {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// What one rank computes of one objective.
struct Share {
  std::string name;                   ///< of the model: with the seed it settles initial weights and data
  std::uint64_t first_row = 0;        ///< of this share in each batch of the objective
  std::uint64_t rows = 0;             ///< of this share
  std::uint64_t batch = 0;            ///< rows of the whole objective
  std::uint64_t divisor = 0;          ///< of the loss; 0: the batch
  std::uint64_t steps = 0;            ///< of the training
  std::optional<Range> updated = {};  ///< parameters that this rank's optimizer updates and has moments of; nothing means all
};

/// Called with a place in the flat buffers: the gradients from there to the end are complete. Places come in descending order,
/// the last one is 0.
using CompleteHook = std::function<void(std::size_t begin)>;

/// The arithmetic of a training step, as a strategy sees it: all that differs between strategies is what they do between these
/// calls. On the engines' own layers it is EngineCompute; a simulation may put measured times in its place, which is why
/// this header and the strategies know neither the layers nor the data.
class Compute {
 public:
  virtual ~Compute() = default;

  /// The layers' parts of the flat buffers, first layer first, without gaps.
  [[nodiscard]] virtual std::span<const Range> layers() const = 0;
  /// The flat buffers, equally long.
  virtual std::span<float> parameters() = 0;
  virtual std::span<float> gradients() = 0;

  /// Back to the beginning: initial weights, moments zero.
  virtual void start() = 0;
  /// Loads this share's rows of the batch of `step`, and returns their part of the batch's loss (the parts' sum is the mean).
  virtual double forward(std::uint64_t step) = 0;
  /// The gradient of the last forward()'s loss. `complete_from` may be empty.
  virtual void backward(const CompleteHook& complete_from) = 0;
  /// The optimizer's step on the share's range of the parameters, by the gradients as they are now.
  virtual void update() = 0;

  /// What it allocated.
  [[nodiscard]] virtual Held held() const = 0;
};

}  // namespace hiple::scaling
