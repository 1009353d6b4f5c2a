#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "report/status_file.hpp"
#include "temporary_folder.hpp"

namespace hiple::report {
namespace {

class StatusTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "STATUS";
};

TEST_F(StatusTest, OneLineOfJsonThatReadsBack) {
  StatusRecord record;
  record.state = "partial";
  record.name = "thyroid";
  record.engines = 3;
  record.missing = {{"nti", "a \"quoted\"\nreason \xff"}};
  record.cases = 10;
  record.questions = 2;
  record.decided = 15;
  record.abstained = 3;
  record.escalated = 2;
  record.root = "ab";
  record.rank_seconds = RankSeconds{8, 1, 0.5, 0.25, 4, 1};
  write_status(path_, record);
  const std::string text = read_file(path_);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json.at("available"), 2);
  EXPECT_EQ(json.at("missing").at(0).at("engine"), "nti");
  const StatusRecord again = read_status(path_);
  EXPECT_EQ(again.state, "partial");
  EXPECT_EQ(again.name, "thyroid");
  EXPECT_EQ(again.engines, 3U);
  ASSERT_EQ(again.missing.size(), 1U);
  EXPECT_EQ(again.missing[0].second, "a \"quoted\"\nreason \xef\xbf\xbd");
  EXPECT_EQ(again.decided, 15U);
  EXPECT_EQ(again.escalated, 2U);
  EXPECT_EQ(again.root, "ab");
  ASSERT_TRUE(again.rank_seconds);
  EXPECT_EQ(again.rank_seconds->useful, 8);
  EXPECT_EQ(again.rank_seconds->waiting, 0.5);
  EXPECT_EQ(again.rank_seconds->lost, 0.25);
  EXPECT_EQ(again.rank_seconds->failed_attempts, 1U);
}

TEST_F(StatusTest, FailureHasAReason) {
  StatusRecord record;
  record.state = "failed";
  record.reason = "no memory";
  write_status(path_, record);
  EXPECT_EQ(read_status(path_).reason, "no memory");
}

TEST_F(StatusTest, RefusesWhatIsNoStatus) {
  StatusRecord record;
  record.state = "fine";
  EXPECT_THROW(write_status(path_, record), Error);
  EXPECT_THROW(read_status(path_), InputError);
  for (const char* text : {"", "{", "[]", "{}", "{\"state\": \"complete\"}", "{\"state\": 3}"}) {
    write_file(path_, text);
    EXPECT_THROW(read_status(path_), InputError) << text;
  }
}

}  // namespace
}  // namespace hiple::report
