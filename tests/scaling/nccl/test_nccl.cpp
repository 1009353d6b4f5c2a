#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "device/device.hpp"
#include "scaling/nccl/nccl_communicator.hpp"

namespace hiple::scaling {
namespace {

using testing::HasSubstr;

TEST(NcclCommunicator, IdsDiffer) {
  const ncclUniqueId one = make_nccl_id(), other = make_nccl_id();
  EXPECT_NE(std::memcmp(&one, &other, sizeof(one)), 0);
}

TEST(NcclCommunicator, AProblemIsAnErrorWithNcclsOwnWords) {
  EXPECT_NO_THROW(check_nccl(ncclSuccess, "nothing"));
  try {
    check_nccl(ncclInvalidArgument, "ncclAllReduce");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("NCCL: ncclAllReduce: invalid argument"));
  }
}

TEST(NcclCommunicator, WithoutADeviceThereIsNoCommunicator) {
  if (!visible_devices().empty()) GTEST_SKIP() << "there is a device";
  EXPECT_THROW(NcclCommunicator(make_nccl_id(), 0, 1, nullptr), Error);
}

/// One rank on one device: sums are what was given. Label gpu. NCCL refuses two ranks on one device; several devices are tried by
/// the study's own runs.
TEST(GpuTest, OneRankComesToItsOwnNumbers) {
  if (visible_devices().empty()) GTEST_SKIP() << "no CUDA device is visible here";
  NcclCommunicator communicator(make_nccl_id(), 0, 1, nullptr);
  constexpr std::size_t count = 1000;
  std::vector<float> given(count), found(count);
  for (std::size_t i = 0; i < count; ++i) given[i] = static_cast<float>(i);
  void *from = nullptr, *to = nullptr;
  ASSERT_EQ(cudaMalloc(&from, count * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&to, count * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(from, given.data(), count * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
  const auto expect_given = [&](auto collective) {
    ASSERT_EQ(cudaMemset(to, 0, count * sizeof(float)), cudaSuccess);
    collective(static_cast<const float*>(from), static_cast<float*>(to));
    communicator.wait();
    ASSERT_EQ(cudaMemcpy(found.data(), to, count * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(found, given);
  };
  expect_given([&](const float* a, float* b) { communicator.sum(a, b, count); });
  expect_given([&](const float* a, float* b) { communicator.sum_part(a, b, count); });
  expect_given([&](const float* a, float* b) { communicator.gather(a, b, count); });
  cudaFree(from);
  cudaFree(to);
}

}  // namespace
}  // namespace hiple::scaling
