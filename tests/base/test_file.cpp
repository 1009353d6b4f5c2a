#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

namespace fs = std::filesystem;

TEST(File, WrittenWholeAndReadBack) {
  const TemporaryFolder folder;
  const std::string content("a\0b\n", 4);
  write_file(folder.path() / "f", content);
  write_file(folder.path() / "f", content + content);
  EXPECT_EQ(read_file(folder.path() / "f"), content + content);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "a temporary file was left behind";
}

TEST(File, EmptyFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "f", "");
  EXPECT_EQ(read_file(folder.path() / "f"), "");
}

TEST(File, ErrorsNameThePath) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_file(folder.path() / "none"), InputError);
  EXPECT_THROW(read_file(folder.path()), InputError);
  EXPECT_THROW(write_file(folder.path() / "no" / "f", "x"), Error);
  fs::create_directory(folder.path() / "d");
  EXPECT_THROW(write_file(folder.path() / "d", "x"), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "a temporary file was left behind";
}

TEST(File, LeavingsOfOthersAreRemovedByName) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.h5";
  const auto leaving = temporary_name(file);
  EXPECT_NE(leaving, temporary_name(file));
  write_file(leaving, "half");
  write_file(folder.path() / "a.h5.tmp.7.0", "half");
  write_file(file, "whole");
  write_file(folder.path() / "b.h5.tmp.7.0", "of another file");
  remove_temporaries(file);
  EXPECT_EQ(read_file(file), "whole");
  EXPECT_TRUE(fs::exists(folder.path() / "b.h5.tmp.7.0"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
  EXPECT_NO_THROW(remove_temporaries(folder.path() / "no folder" / "f"));
}

}  // namespace
}  // namespace hiple
