#include "engine/cuda_platform.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/device_memory.hpp"

namespace hiple::engine::cuda {

namespace {

/// Of cuBLASLt. More helps products that are far larger than an engine's.
constexpr std::size_t workspace_bytes = std::size_t{8} << 20U;

std::string name_of(int index) {
  check(cudaSetDevice(index), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  return fmt::format("device {} ({})", index, properties.name);
}

}  // namespace

Platform::Platform(int index) : name_(name_of(index)) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  try {
    workspace_ = array<std::uint8_t>(workspace_bytes);
    blas_.emplace(workspace_.data(), workspace_bytes);
  } catch (...) {
    cudaStreamDestroy(stream_);
    throw;
  }
}

Platform::~Platform() {
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
}

void* Platform::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t problem = cudaMalloc(&memory, bytes);
  if (problem == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is told once
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    throw Error(out_of_memory_text(name_, bytes, free, all));
  }
  check(problem, "cudaMalloc");
  const cudaError_t cleared = cudaMemsetAsync(memory, 0, bytes, stream_);
  if (cleared != cudaSuccess) cudaFree(memory);
  check(cleared, "cudaMemsetAsync");
  return memory;
}

Platform::Graph Platform::end_recording() {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
  return Graph(graph);
}

Recording Platform::instantiate(const Graph& graph) {
  cudaGraphExec_t made = nullptr;
  check(cudaGraphInstantiate(&made, graph.get(), 0), "cudaGraphInstantiate");
  return Recording(made);
}

}  // namespace hiple::engine::cuda
