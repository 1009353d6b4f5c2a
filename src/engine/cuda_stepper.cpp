#include "engine/cuda_stepper.hpp"

#include "engine/cuda_platform.hpp"
#include "engine/device_stepper.hpp"

namespace hiple::engine {

std::unique_ptr<Stepper> make_cuda_stepper(const StepperSource& source, int device) {
  if (!source.network.shape().series.empty()) throw Error("engine " + source.name + ": convolutions are not built for CUDA");
  try {
    return std::make_unique<device::DeviceStepper<cuda::Platform>>(std::make_unique<cuda::Platform>(device), source);
  } catch (const Error& error) {
    throw Error("engine " + source.name + ": " + error.what());
  }
}

std::string cuda_libraries() { return "cuBLASLt " + std::to_string(cuda::CublasLt::library().version()); }

}  // namespace hiple::engine
