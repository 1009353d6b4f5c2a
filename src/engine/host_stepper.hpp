#pragma once

#include "engine/adam.hpp"
#include "engine/stepper.hpp"

namespace hiple::engine {

/// Steps on the processor, which train `source.network` in place, one at a time.
std::unique_ptr<Stepper> make_host_stepper(const StepperSource& source);

/// Adam as a configuration wants it.
AdamConfig adam_config(const TrainConfig& config);

}  // namespace hiple::engine
