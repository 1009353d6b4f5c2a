#include <gtest/gtest.h>

#include <set>

#include "device/device.hpp"

namespace hiple {
namespace {

TEST(Device, VisibleDevicesAreListedWithoutErrorEvenWithoutADriver) {
  const std::vector<Device> devices = visible_devices();
  EXPECT_TRUE(built_with_cuda() || devices.empty());
  std::set<int> indices;
  for (const Device& device : devices) {
    EXPECT_TRUE(indices.insert(device.index).second);
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.memory, 0U);
  }
}

}  // namespace
}  // namespace hiple
