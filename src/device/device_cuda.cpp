#include <cuda_runtime_api.h>

#include "base/error.hpp"
#include "device/device.hpp"

namespace hiple {

bool built_with_cuda() { return true; }

std::vector<Device> visible_devices() {
  int count = 0;
  const cudaError_t problem = cudaGetDeviceCount(&count);
  if (problem == cudaErrorInsufficientDriver || problem == cudaErrorNoDevice) return {};
  if (problem != cudaSuccess) throw Error(std::string("CUDA devices cannot be counted: ") + cudaGetErrorString(problem));
  std::vector<Device> devices;
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) continue;
    devices.push_back({index, properties.name, properties.totalGlobalMem});
  }
  return devices;
}

}  // namespace hiple
