#include "base/error.hpp"
#include "engine/cuda_stepper.hpp"

namespace hiple::engine {

std::unique_ptr<Stepper> make_cuda_stepper(const StepperSource& source, int /*device*/) {
  throw Error("engine " + source.name + ": it should train on a CUDA device, and this program was built without CUDA");
}

std::string cuda_libraries() { throw Error("this program was built without CUDA"); }

}  // namespace hiple::engine
