#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/on_both.hpp"
#include "base/philox_block.hpp"
#include "engine/adam_factors.hpp"
#include "engine/network_layout.hpp"

/// The loop bodies of a training step on a device, each for one index of a loop whose iterations do not depend on each other.
/// They run on the processor as well, where they are tested. None adds to what another index adds to: sums have one order, and
/// two runs are equal bit by bit.
namespace hiple::engine::device {

/// Four numbers, read and written as 16 bytes.
struct alignas(16) Four {
  float number[4];
};

HIPLE_ON_BOTH inline Four& four(float* values, std::size_t index) { return reinterpret_cast<Four*>(values)[index]; }
HIPLE_ON_BOTH inline const Four& four(const float* values, std::size_t index) {
  return reinterpret_cast<const Four*>(values)[index];
}

/// A step as a device reads it: a whole block of steps is sent ahead, and `Current` says which one it is.
struct Step {
  std::uint64_t first = 0;  ///< place of its first row in the order
  std::uint32_t rows = 0;   ///< of the batch; what is over is computed, and weighs nothing
  std::uint32_t epoch = 0, step_of_epoch = 0;
  double normaliser = 1;  ///< the sum of the rows' weights
  AdamFactors adam = {};
};

/// Which step of the block is computed.
struct Current {
  const Step* steps = nullptr;
  const std::uint32_t* index = nullptr;  ///< in device memory: what was recorded once is launched for every step
  [[nodiscard]] HIPLE_ON_BOTH const Step& operator()() const { return steps[*index]; }
};

/// The examples of a part of the data, in device memory.
struct Table {
  const float* dense = nullptr;         ///< [examples, inputs]
  const std::int32_t* codes = nullptr;  ///< [examples, categories]
  const std::int32_t* labels = nullptr;
  const float* numbers = nullptr;  ///< of a regression
  const float* weights = nullptr;
  const std::uint32_t* order = nullptr;  ///< of the epoch; null: as they lie

  /// The example of a row of the batch; of a row beyond the step's, one that is there.
  [[nodiscard]] HIPLE_ON_BOTH std::size_t example(const Step& step, std::size_t row) const {
    const std::size_t place = step.first + (row < step.rows ? row : 0);
    return order == nullptr ? place : order[place];
  }
};

/// Where a learned column of the network's input comes from: a column of an embedding's table.
struct EmbeddedColumn {
  std::uint64_t weight = 0;  ///< place of the table in the flat buffers
  std::uint32_t category = 0, width = 0, column = 0;
};

/// input [batch, inputs + columns]: dense numbers, then embeddings.
struct GatherInput {
  Current current;
  Table table;
  const float* parameters = nullptr;
  const EmbeddedColumn* columns = nullptr;
  std::uint32_t inputs = 0, learned = 0, categories = 0;
  float* input = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const std::size_t width = std::size_t{inputs} + learned, row = index / width, column = index % width;
    const std::size_t example = table.example(current(), row);
    if (column < inputs) {
      input[index] = table.dense[example * inputs + column];
      return;
    }
    const EmbeddedColumn& source = columns[column - inputs];
    const auto line = static_cast<std::size_t>(table.codes[example * categories + source.category] + 1);
    input[index] = parameters[source.weight + line * source.width + source.column];
  }
};

struct Activated {
  float value, slope;
};

HIPLE_ON_BOTH inline Activated activated(Activation activation, float x) {
  if (activation == Activation::relu) return x <= 0.0F ? Activated{0.0F, 0.0F} : Activated{x, 1.0F};  // NaN stays NaN
  if (activation == Activation::tanh) {
    const float y = std::tanh(x);
    return {y, std::fma(-y, y, 1.0F)};
  }
  const float cdf = 0.5F * std::erfc(x * -0.70710678F);
  return {x * cdf, std::fma(x * 0.39894228F, std::exp(-0.5F * x * x), cdf)};
}

/// values = activation(values), four numbers an index. `slope`, where it is not null, gets the derivative.
struct Activate {
  Activation activation = Activation::relu;
  float* values = nullptr;
  float* slope = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    Four value = four(values, index), derivative{};
    for (int k = 0; k < 4; ++k) {
      const Activated y = activated(activation, value.number[k]);
      value.number[k] = y.value;
      derivative.number[k] = y.slope;
    }
    four(values, index) = value;
    if (slope != nullptr) four(slope, index) = derivative;
  }
};

/// Numbers of a matrix that one index of ActivateMasked computes, and that fill whole groups of the masks.
inline constexpr std::size_t masked_at_once = 32, mask_group = 128;

/// The same with the masks of Dropout::fill (kernels_dropout.hpp): four Philox blocks decide about 32 numbers of a group of 128.
/// The matrix is filled up to whole groups.
struct ActivateMasked {
  Current current;
  Activation activation = Activation::relu;
  std::uint32_t key0 = 0, key1 = 0, use = 0;
  std::uint32_t threshold = 0;  ///< of 65536: a unit whose bits are under it is dropped
  float scale = 1;
  float* values = nullptr;
  float* slope = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const std::size_t group = index / 4, lane = index % 4;
    const Step& step = current();
    PhiloxWords bits[4];
    for (std::uint32_t k = 0; k < 4; ++k) {
      const auto block = static_cast<std::uint32_t>(16 * group + 4 * lane) + k;
      bits[k] = philox_block(key0, key1, {{step.epoch, step.step_of_epoch, use, block}});
    }
    for (std::uint32_t half = 0; half < 8; ++half) {
      const std::size_t place = (mask_group * group + 16 * std::size_t{half}) / 4 + lane;
      Four value = four(values, place), derivative{};
      for (int k = 0; k < 4; ++k) {
        const std::uint32_t drawn = (bits[k].word[half / 2] >> (16 * (half % 2))) & 0xFFFFU;
        const float factor = drawn < threshold ? 0.0F : scale;
        const Activated y = activated(activation, value.number[k]);
        value.number[k] = y.value * factor;
        derivative.number[k] = y.slope * factor;
      }
      four(values, place) = value;
      four(slope, place) = derivative;
    }
  }
};

/// gradient *= slope, four numbers an index.
struct MultiplyBySlope {
  const float* slope = nullptr;
  float* gradient = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const Four factor = four(slope, index);
    Four value = four(gradient, index);
    for (int k = 0; k < 4; ++k) value.number[k] *= factor.number[k];
    four(gradient, index) = value;
  }
};

/// Softmax cross-entropy of one row of the batch, as softmax_cross_entropy() has it; gradient [batch, classes], losses [steps,
/// batch]. Rows beyond the step's get zeros.
struct CrossEntropy {
  Current current;
  Table table;
  const float* logits = nullptr;
  std::uint32_t classes = 0;
  std::size_t batch = 0;
  float* gradient = nullptr;
  double* losses = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t row) const {
    const Step& step = current();
    const float* source = logits + row * classes;
    float* target = gradient + row * classes;
    double& loss = losses[*current.index * batch + row];
    loss = 0;
    if (row >= step.rows) {
      for (std::uint32_t i = 0; i < classes; ++i) target[i] = 0.0F;
      return;
    }
    float largest = source[0], sum = 0;
    for (std::uint32_t i = 1; i < classes; ++i) largest = largest < source[i] ? source[i] : largest;
    for (std::uint32_t i = 0; i < classes; ++i) {
      target[i] = std::exp(source[i] - largest);
      sum += target[i];
    }
    const std::size_t example = table.example(step, row);
    const auto label = static_cast<std::uint32_t>(table.labels[example]);
    const double weight = static_cast<double>(table.weights[example]) / step.normaliser;
    loss = weight * (std::log(static_cast<double>(sum)) - static_cast<double>(source[label] - largest));
    const float factor = static_cast<float>(weight) / sum;
    for (std::uint32_t i = 0; i < classes; ++i) target[i] *= factor;
    target[label] -= static_cast<float>(weight);
  }
};

/// The same for squared_error(): outputs and gradient [batch].
struct SquaredError {
  Current current;
  Table table;
  const float* outputs = nullptr;
  std::size_t batch = 0;
  float* gradient = nullptr;
  double* losses = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t row) const {
    const Step& step = current();
    double& loss = losses[*current.index * batch + row];
    loss = 0;
    gradient[row] = 0.0F;
    if (row >= step.rows) return;
    const std::size_t example = table.example(step, row);
    const double weight = static_cast<double>(table.weights[example]) / step.normaliser;
    const double difference = static_cast<double>(outputs[row]) - static_cast<double>(table.numbers[example]);
    loss = weight * difference * difference;
    gradient[row] = static_cast<float>(2.0 * weight * difference);
  }
};

/// The loss of step `index` of the block: the sum over its rows, in their order.
struct SumLosses {
  const Step* steps = nullptr;
  const double* losses = nullptr;
  std::size_t batch = 0;
  double* sums = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    double sum = 0;
    for (std::uint32_t row = 0; row < steps[index].rows; ++row) sum += losses[index * batch + row];
    sums[index] = sum;
  }
};

/// The gradient of one number of an embedding's table: index `line * learned + column` over the largest table's lines. Cases are
/// added in the order of the batch.
struct EmbeddingGradient {
  Current current;
  Table table;
  const EmbeddedColumn* columns = nullptr;
  const std::uint32_t* lines = nullptr;  ///< of each category's table
  const float* dy = nullptr;             ///< [batch, learned]
  std::uint32_t learned = 0, categories = 0;
  float* gradients = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const std::size_t line = index / learned, column = index % learned;
    const EmbeddedColumn& target = columns[column];
    if (line >= lines[target.category]) return;
    const Step& step = current();
    float sum = 0;
    for (std::uint32_t row = 0; row < step.rows; ++row) {
      const std::int32_t code = table.codes[table.example(step, row) * categories + target.category];
      if (static_cast<std::size_t>(code + 1) == line) sum += dy[std::size_t{row} * learned + column];
    }
    gradients[target.weight + line * target.width + target.column] = sum;
  }
};

/// Part `index` of `parts` of the sum of squares: every `parts`-th number.
struct SumSquares {
  const float* values = nullptr;
  std::size_t size = 0, parts = 1;
  double* sums = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    double sum = 0;
    for (std::size_t i = index; i < size; i += parts) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    sums[index] = sum;
  }
};

/// Part `index` of a sum of double precision: `each` numbers that follow one another.
struct SumParts {
  const double* values = nullptr;
  std::size_t size = 0, each = 1;
  double* sums = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const std::size_t begin = index * each, end = begin + each < size ? begin + each : size;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    sums[index] = sum;
  }
};

/// Adam over the flat buffers, four numbers an index. `squares`: the gradient's sum of squares, where it is clipped.
struct UpdateParameters {
  Current current;
  double clip = 0;
  const double* squares = nullptr;
  const float* gradients = nullptr;
  float* parameters = nullptr;
  float* first = nullptr;
  float* second = nullptr;

  HIPLE_ON_BOTH void operator()(std::size_t index) const {
    const AdamFactors factors = current().adam;
    const float scale = clip > 0 ? static_cast<float>(clip_scale(clip, std::sqrt(*squares))) : 1.0F;
    const Four gradient = four(gradients, index);
    Four parameter = four(parameters, index), m = four(first, index), v = four(second, index);
    for (int k = 0; k < 4; ++k) adam_update(factors, scale, gradient.number[k], parameter.number[k], m.number[k], v.number[k]);
    four(parameters, index) = parameter;
    four(first, index) = m;
    four(second, index) = v;
  }
};

/// The end of a step.
struct NextStep {
  std::uint32_t* index = nullptr;
  HIPLE_ON_BOTH void operator()(std::size_t) const { ++*index; }
};

/// The begin of a block.
struct RestartSteps {
  std::uint32_t* index = nullptr;
  HIPLE_ON_BOTH void operator()(std::size_t) const { *index = 0; }
};

}  // namespace hiple::engine::device
