#include <gmock/gmock.h>

#include "base/file.hpp"
#include "run/check_folder.hpp"
#include "run/run_size.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using testing::HasSubstr;

TEST(AboutRows, OfCsvByItsHead) {
  const TemporaryFolder folder;
  std::string text = "case,value\n";
  for (int i = 0; i < 50000; ++i) text += std::to_string(100000 + i) + ",0.125\n";
  write_file(folder.path() / "t.csv", text);
  EXPECT_NEAR(static_cast<double>(about_rows(folder.path() / "t.csv")), 50000, 50);
  write_file(folder.path() / "short.csv", "case,value\n1,2\n2,3\n");
  EXPECT_EQ(about_rows(folder.path() / "short.csv"), 2U);
  write_file(folder.path() / "header.csv", "case,value\n");
  EXPECT_EQ(about_rows(folder.path() / "header.csv"), 0U);
  write_file(folder.path() / "empty.csv", "");
  EXPECT_EQ(about_rows(folder.path() / "empty.csv"), 0U);
}

TEST(CheckFolder, TriesTheNearestFolderThatExistsAndLeavesNothing) {
  const TemporaryFolder folder;
  RunConfig config;
  config.output = folder.path() / "not" / "yet";
  const FolderCheck check = check_folder(config, 1);
  EXPECT_TRUE(std::filesystem::equivalent(check.folder, folder.path()));
  EXPECT_GT(check.free_bytes, 1U);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CheckFolder, TooLittleSpaceIsSaid) {
  const TemporaryFolder folder;
  RunConfig config;
  config.output = folder.path() / "run";
  try {
    check_folder(config, std::uint64_t{1} << 62);
    FAIL() << "nothing was said";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("MiB are free there: the run writes about 4398046511104.0 MiB (make room"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CheckFolder, WhatIsNoFolderIsSaid) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  RunConfig config;
  config.output = folder.path() / "file" / "run";
  EXPECT_THROW(check_folder(config, 1), InputError);
}

}  // namespace
}  // namespace hiple
