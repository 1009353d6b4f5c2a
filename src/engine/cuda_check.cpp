#include "engine/cuda_check.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace hiple::engine::cuda {

void check(cudaError_t problem, const char* what) {
  if (problem == cudaSuccess) return;
  throw Error(fmt::format("CUDA: {}: {} ({})", what, cudaGetErrorString(problem), cudaGetErrorName(problem)));
}

}  // namespace hiple::engine::cuda
