#include <gmock/gmock.h>

#include <fstream>

#include "run/attempt_record.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

AttemptRecord begun(std::uint64_t attempt) {
  AttemptRecord record;
  record.attempt = attempt;
  record.begun = "2026-11-30T10:00:00Z";
  record.where = "node1";
  record.process = 4711;
  return record;
}

TEST(AttemptRecord, TwoLinesAreOneAttempt) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "engines" / "e" / "attempts.jsonl";
  EXPECT_EQ(next_attempt(path), 1U);
  AttemptRecord first = begun(1);
  write_attempt_begin(path, first);
  first.outcome = "failed";
  first.reason = "signal 9 \xff";
  first.last_step = 40;
  first.seconds = {1, 2, 3};
  write_attempt_end(path, first);
  write_attempt_begin(path, begun(2));
  const auto records = read_attempts(path);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_TRUE(records[0].has_end);
  EXPECT_EQ(records[0].outcome, "failed");
  EXPECT_EQ(records[0].last_step, 40U);
  EXPECT_EQ(records[0].seconds.repeated, 2);
  EXPECT_FALSE(records[1].has_end);
  EXPECT_EQ(records[1].process, 4711);
  EXPECT_EQ(next_attempt(path), 3U);
}

TEST(AttemptRecord, HalfALineCountsForNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "attempts.jsonl";
  write_attempt_begin(path, begun(1));
  std::ofstream(path, std::ios::app) << R"({"attempt":1,"outcome":"tra)";
  ASSERT_EQ(read_attempts(path).size(), 1U);
  EXPECT_FALSE(read_attempts(path)[0].has_end);
}

}  // namespace
}  // namespace hiple
