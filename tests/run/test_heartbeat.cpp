#include <gmock/gmock.h>

#include "base/file.hpp"
#include "run/heartbeat.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Clock = HeartbeatWatch::Clock;

TEST(HeartbeatInterval, IsAQuarterOfTheLimitWithinBounds) {
  EXPECT_EQ(heartbeat_interval(4, 300).count(), 10);
  EXPECT_EQ(heartbeat_interval(4, 4).count(), 1);
  EXPECT_EQ(heartbeat_interval(4000, 300).count(), 40);
  EXPECT_EQ(heartbeat_interval(100000, 300).count(), 75);
}

/// Signs that the test writes itself, and a clock that it sets.
struct HeartbeatWatchTest : testing::Test {
  void show(int rank) {
    make_folder(directory.heartbeats());
    write_file(directory.heartbeat(rank),
               R"({"host": "node)" + std::to_string(rank) + R"(", "beat": )" + std::to_string(beat++) + "}");
  }
  /// So many seconds, in looks of a second; before each `alive` show themselves.
  void pass(int seconds, std::initializer_list<int> alive) {
    for (int i = 0; i < seconds; ++i) {
      for (const int rank : alive) show(rank);
      watch.look(now += 1s);
    }
  }

  TemporaryFolder folder;
  RunDirectory directory{folder.path()};
  Clock::time_point now = Clock::now();
  HeartbeatWatch watch{directory, {0, 1}, 2, 10, now};
  int beat = 0;
};

TEST_F(HeartbeatWatchTest, ARankThatFallsSilentIsLostAfterTheLimit) {
  pass(20, {0, 1, 2});
  EXPECT_EQ(watch.lost(0), "");
  pass(9, {1, 2});
  EXPECT_EQ(watch.lost(0), "");
  pass(1, {1, 2});
  EXPECT_EQ(watch.lost(0), "rank 0 on host node0 gave no sign of life for 10 s (integrate.lost_after)");
  EXPECT_EQ(watch.lost(1), "");
}

TEST_F(HeartbeatWatchTest, OneThatNeverShowedItselfIsLostToo) {
  pass(10, {1, 2});
  EXPECT_THAT(watch.lost(0), HasSubstr("rank 0 on a host that it did not name"));
}

TEST_F(HeartbeatWatchTest, AFileThatCannotBeUnderstoodIsASignAsLongAsItChanges) {
  pass(1, {0, 1, 2});
  for (int i = 0; i < 20; ++i) {
    write_file(directory.heartbeat(0), "half a li" + std::to_string(i));
    pass(1, {1, 2});
  }
  EXPECT_EQ(watch.lost(0), "");
  pass(10, {1, 2});
  EXPECT_THAT(watch.lost(0), HasSubstr("host node0"));
}

TEST_F(HeartbeatWatchTest, AFileSystemThatStandsStillForAllIsNoSilence) {
  pass(5, {0, 1, 2});
  pass(1000, {});
  EXPECT_EQ(watch.lost(0), "");
  EXPECT_EQ(watch.lost(1), "");
  pass(3, {0, 1, 2});
  pass(10, {1, 2});
  EXPECT_NE(watch.lost(0), "");
}

TEST_F(HeartbeatWatchTest, TimeInWhichNobodyLookedIsNoSilence) {
  pass(5, {0, 1, 2});
  show(2);
  watch.look(now += 1h);
  EXPECT_EQ(watch.lost(0), "");
}

TEST_F(HeartbeatWatchTest, AFileThatGoesIsSilence) {
  pass(5, {0, 1, 2});
  std::filesystem::remove(directory.heartbeat(0));
  pass(10, {1, 2});
  EXPECT_THAT(watch.lost(0), HasSubstr("host node0"));
}

TEST(Heartbeat, ShowsItselfAsLongAsItIsThere) {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  const auto beat = std::chrono::duration<double>(0.01);
  {
    const Heartbeat own(directory, 1, beat), other(directory, 0, beat);
    HeartbeatWatch watch(directory, {0}, 1, 1);
    const auto is_whole = [&] {
      std::error_code none;
      return std::filesystem::file_size(directory.heartbeat(0), none) > 0 && !none;
    };
    for (int i = 0; i < 1000 && !is_whole(); ++i) std::this_thread::sleep_for(10ms);  // its thread may not have begun
    const auto begin = read_file(directory.heartbeat(0));
    EXPECT_THAT(begin, HasSubstr("\"rank\":0"));
    for (int i = 0; i < 1000 && read_file(directory.heartbeat(0)) == begin; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_NE(read_file(directory.heartbeat(0)), begin);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.heartbeats()));
}

}  // namespace
}  // namespace hiple
