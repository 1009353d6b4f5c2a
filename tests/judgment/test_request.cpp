#include <gtest/gtest.h>

#include "base/error.hpp"
#include "judgment/request.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

JudgingRequest request() { return {"hypo", {3, 7, 18446744073709551615ULL}, "config", "data", "law", 2, 3}; }

TEST(Request, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  write_request(folder.path() / "hypo.h5", request());
  EXPECT_EQ(read_request(folder.path() / "hypo.h5", "hypo"), request());
}

TEST(Request, OfAnotherEngineIsRefused) {
  const TemporaryFolder folder;
  write_request(folder.path() / "hypo.h5", request());
  EXPECT_THROW((void)read_request(folder.path() / "hypo.h5", "hyper"), InputError);
  EXPECT_THROW((void)read_request(folder.path() / "none.h5", "hypo"), InputError);
}

TEST(Request, NamesEachCaseOnceInAscendingOrder) {
  const TemporaryFolder folder;
  JudgingRequest twice = request();
  twice.case_id = {3, 3};
  EXPECT_THROW(write_request(folder.path() / "hypo.h5", twice), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "hypo.h5"));
}

}  // namespace
}  // namespace hiple
