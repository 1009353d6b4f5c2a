#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hiple::engine {

/// The temperature T for which softmax(logits / T) has the least negative log likelihood of the labels (Guo et al., "On
/// calibration of modern neural networks", ICML 2017), within [1/20, 20]. Convex in 1/T; found by Newton steps inside a bracket.
/// Labels are smoothed by 1/(rows + 2) as Platt (1999) did, so that T stays off zero where all of a few rows are right.
/// Shapes: logits [rows, classes], labels [rows]. 1 without rows.
double fit_temperature(std::span<const float> logits, std::size_t classes, std::span<const std::int32_t> labels);

/// softmax(logits / temperature) of one row.
void calibrated_probabilities(std::span<const float> logits, double temperature, std::span<double> probabilities);

}  // namespace hiple::engine
