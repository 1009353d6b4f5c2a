#include "engine/cuda_launch.hpp"
#include "engine/device_bodies.hpp"

namespace hiple::engine::cuda {

namespace {

template <class Body>
__global__ void __launch_bounds__(256) run(const __grid_constant__ Body body, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) body(i);
}

}  // namespace

template <class Body>
cudaError_t launch(const Body& body, std::size_t count, cudaStream_t stream) {
  constexpr std::size_t block = 256, most_blocks = 132 * 8;  // eight blocks on each multiprocessor of an H100 or H200
  const std::size_t blocks = (count + block - 1) / block;
  run<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), block, 0, stream>>>(body, count);
  return cudaGetLastError();
}

template cudaError_t launch(const device::GatherInput&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::Activate&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::ActivateMasked&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::MultiplyBySlope&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::CrossEntropy&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::SquaredError&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::SumLosses&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::EmbeddingGradient&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::SumSquares&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::SumParts&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::UpdateParameters&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::NextStep&, std::size_t, cudaStream_t);
template cudaError_t launch(const device::RestartSteps&, std::size_t, cudaStream_t);

}  // namespace hiple::engine::cuda
