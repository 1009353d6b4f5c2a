#pragma once

#include <span>
#include <vector>

#include "engine/stepper.hpp"

namespace hiple::engine {

/// Loss and gradient of one step, as the processor computes them.
struct FirstStep {
  double loss = 0;
  std::vector<float> gradient;
};
FirstStep first_step(const StepperSource& source, std::span<const float> parameters, std::span<const std::uint32_t> rows,
                     const StepPlan& step);

/// The two computed the same, but for rounding? What another device computed of the same step is compared before it is trusted:
/// the loss, and each layer's gradient by its norm, a layer whose own is next to nothing by the whole's. Throws Error with the
/// figures.
void refuse_other_step(const StepperSource& source, const FirstStep& ours, double loss, std::span<const float> gradient,
                       const std::string& device);

}  // namespace hiple::engine
