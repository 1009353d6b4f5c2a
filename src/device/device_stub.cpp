#include "device/device.hpp"

namespace hiple {

bool built_with_cuda() { return false; }

std::vector<Device> visible_devices() { return {}; }

}  // namespace hiple
