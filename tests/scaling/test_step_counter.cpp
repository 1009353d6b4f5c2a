#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"
#include "scaling/measure/step_counter.hpp"
#include "temporary_folder.hpp"

namespace hiple::scaling {
namespace {

std::uint64_t number(const std::filesystem::path& path, std::size_t rank) {
  const std::string bytes = read_file(path);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + 8 * rank, 8);
  return value;
}

TEST(StepCounter, RanksShareAFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "counters";
  StepCounter first(path, 0, 3), last(path, 2, 3);
  EXPECT_EQ(std::filesystem::file_size(path), 24U);
  first.set(7);
  last.set(std::uint64_t{1} << 40);
  EXPECT_EQ(number(path, 0), 7U);
  EXPECT_EQ(number(path, 1), 0U);
  EXPECT_EQ(number(path, 2), std::uint64_t{1} << 40);
}

TEST(StepCounter, StartsAtZeroInAFileThatIsThere) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "counters";
  StepCounter(path, 1, 2).set(9);
  const StepCounter again(path, 1, 2);
  EXPECT_EQ(number(path, 1), 0U);
}

TEST(StepCounter, SaysWhyThereIsNoFile) { EXPECT_THROW(StepCounter("/no/such/folder/counters", 0, 1), Error); }

}  // namespace
}  // namespace hiple::scaling
