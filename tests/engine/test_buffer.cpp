#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "engine/kernels_buffer.hpp"

namespace hiple::engine {
namespace {

TEST(Buffer, IsZeroAtACacheLineWhateverItsSize) {
  for (const std::size_t size : {1U, 17U, 1000U, 131071U, 131072U, 700000U}) {
    Buffer<float> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    EXPECT_EQ(buffer.size(), size);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(buffer.data()[i], 0.0F);
    buffer.data()[size - 1] = 1.0F;
    const Buffer<float> moved = std::move(buffer);
    EXPECT_EQ(moved.data()[size - 1], 1.0F);
  }
}

TEST(Buffer, WithoutValuesHoldsNothing) {
  EXPECT_EQ(Buffer<float>(0).data(), nullptr);
  EXPECT_EQ(Buffer<float>().size(), 0U);
}

TEST(Buffer, SizesThatNoNumberHoldsAreRefused) {
  EXPECT_THROW(Buffer<float>(std::size_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(allocate_zeros(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
}

}  // namespace
}  // namespace hiple::engine
