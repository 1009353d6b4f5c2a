#pragma once

#include <cuda_runtime_api.h>

namespace hiple::engine::cuda {

/// Throws Error with the call and CUDA's own words.
void check(cudaError_t problem, const char* what);

}  // namespace hiple::engine::cuda
