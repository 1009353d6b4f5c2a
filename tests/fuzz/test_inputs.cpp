#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

/// For GoogleTest: what a test is called.
void PrintTo(const Target& target, std::ostream* stream) { *stream << target.name; }

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class KeptInputs : public testing::TestWithParam<Target> {};

/// What a fuzzer begins with, and what it found before it was mended.
TEST_P(KeptInputs, AreTakenOrRefusedWithAPlace) {
  const auto files = files_in(fs::path(HIPLE_SOURCE_DIR) / "tests/fuzz/inputs" / GetParam().name);
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    EXPECT_NO_THROW(GetParam().feed(read_file(file)));
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, KeptInputs, testing::ValuesIn(targets),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// run.yaml, schema.yaml and law.yaml of the studies are seeds too.
TEST(FuzzStudies, AreTaken) {
  for (const auto& study : fs::directory_iterator(fs::path(HIPLE_SOURCE_DIR) / "configs")) {
    SCOPED_TRACE(study.path().string());
    EXPECT_NO_THROW(feed_run(read_file(study.path() / "run.yaml")));
    EXPECT_NO_THROW(feed_schema(read_file(study.path() / "schema.yaml")));
    EXPECT_NO_THROW(feed_law(read_file(study.path() / "law.yaml")));
  }
}

}  // namespace
}  // namespace hiple::fuzz
