#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hiple {

/// One accelerator that this process can see.
struct Device {
  int index = 0;
  std::string name;
  std::uint64_t memory = 0;  ///< bytes
};

/// Whether the program was built with CUDA.
bool built_with_cuda();

/// The devices that this process can see; empty without a driver, without a device, and in a build without CUDA.
std::vector<Device> visible_devices();

}  // namespace hiple
