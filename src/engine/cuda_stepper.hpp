#pragma once

#include <memory>
#include <string>

#include "engine/stepper.hpp"

namespace hiple::engine {

/// Steps on CUDA device `device`, as this process counts the visible ones. Everything a step needs lies in its memory. Two
/// sources have it: a build without CUDA has one that throws. Throws Error: no such device, no room (with the figures), no
/// cuBLASLt, a network that reads series.
std::unique_ptr<Stepper> make_cuda_stepper(const StepperSource& source, int device);

/// "cuBLASLt 130100": the libraries that make_cuda_stepper() opens, which needs no device. Throws Error where one is not to be
/// had.
std::string cuda_libraries();

}  // namespace hiple::engine
