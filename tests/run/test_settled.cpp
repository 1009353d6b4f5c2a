#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "run/settled.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

TEST(Settled, SaysWhetherLawAndGatesAreThoseOfTheFirstStart) {
  const std::vector<Settled> starts = {{"monday", "a", "b"}, {"tuesday", "a", "c"}};
  EXPECT_EQ(settled_lines(starts, {"wednesday", "a", "c"}),
            (Lines{{"law", "a, settled monday, before the run"}, {"gates", "c, CHANGED since the run started monday, with b"}}));
  EXPECT_EQ(settled_lines({{"monday", "a", "b"}}, {"tuesday", "a", ""}).back().second,
            "none, CHANGED since the run started monday, with b");
}

TEST(Settled, WithoutGatesNothingIsSaidOfThem) {
  EXPECT_EQ(settled_lines({{"monday", "a", ""}}, {"tuesday", "a", ""}), (Lines{{"law", "a, settled monday, before the run"}}));
}

TEST(Settled, AGateReportIsSettledToo) {
  const std::vector<Settled> starts = {{"monday", "a", "b", "r"}};
  EXPECT_EQ(settled_lines(starts, {"tuesday", "a", "b", "s"}).back(),
            (std::pair<std::string, std::string>("gate report", "s, CHANGED since the run started monday, with r")));
  EXPECT_FALSE(starts[0].same_texts({"tuesday", "a", "b", "s"}));
}

TEST(Settled, ARunWithoutARecordHasSettledNothing) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read_settled(folder.path() / "build.json").empty());
  EXPECT_EQ(settled_lines({}, {"monday", "a", "b"}),
            (Lines{{"law", "a, not settled before the run"}, {"gates", "b, not settled before the run"}}));
}

TEST(Settled, IsReadFromTheRecordOfTheBuild) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "build.json";
  write_file(file, R"({"version": "1", "settled": [{"time": "t", "law": "l", "gates": "g"}]})");
  const auto settled = read_settled(file);
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].time, "t");
  EXPECT_TRUE(settled[0].same_texts({"later", "l", "g"}));
  write_file(file, R"({"settled": [{"time": "t"}]})");
  EXPECT_THROW(read_settled(file), InputError);
  write_file(file, "garbage");
  EXPECT_THROW(read_settled(file), InputError);
}

}  // namespace
}  // namespace hiple
