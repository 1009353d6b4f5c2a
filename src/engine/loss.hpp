#pragma once

#include <cstdint>
#include <span>

namespace hiple::engine {

/// Softmax cross-entropy: the sum over rows of weight * -log(probability of the label), divided by `normaliser` (the sum of
/// the batch's weights gives the mean; of a batch that is spread over several calls, the whole one's). Writes the gradient
/// by the logits. Shapes: logits and gradient [rows, classes], labels and weights [rows], 0 <= label < classes; empty
/// weights mean 1 each. Not finite where a logit is not.
double softmax_cross_entropy(std::span<const float> logits, std::span<const std::int32_t> labels, std::span<const float> weights,
                             double normaliser, std::span<float> gradient);

/// Squared error: the sum over rows of weight * (output - target)^2, divided by `normaliser`. Writes the gradient by the
/// outputs. Shapes: all [rows]; empty weights mean 1 each.
double squared_error(std::span<const float> outputs, std::span<const float> targets, std::span<const float> weights,
                     double normaliser, std::span<float> gradient);

}  // namespace hiple::engine
