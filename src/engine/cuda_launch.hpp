#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace hiple::engine::cuda {

/// body(i) on the device for i from 0 to count - 1, in any order, on a stream. cuda_launch.cu has it for every body of
/// device_bodies.hpp. Returns what the launch returned.
template <class Body>
cudaError_t launch(const Body& body, std::size_t count, cudaStream_t stream);

}  // namespace hiple::engine::cuda
