#include <gtest/gtest.h>

#include "submit/time_limit.hpp"

namespace hiple::submit {
namespace {

TEST(TimeLimit, EveryWayThatSlurmWritesIt) {
  EXPECT_EQ(parse_time_limit("90"), 90 * 60);
  EXPECT_EQ(parse_time_limit("5:30"), 5 * 60 + 30);
  EXPECT_EQ(parse_time_limit("01:30:00"), 90 * 60);
  EXPECT_EQ(parse_time_limit("2-12"), (2 * 24 + 12) * 3600);
  EXPECT_EQ(parse_time_limit("1-00:30"), (24 * 60 + 30) * 60);
  EXPECT_EQ(parse_time_limit("0-00:00:09"), 9);
  EXPECT_EQ(parse_time_limit("00:10:00"), 600);
}

TEST(TimeLimit, WhatIsNone) {
  for (const char* text : {"", "0", "00:00:00", "one", "-5", "1h", "1:2:3:4", "1-2:3:4:5", "1-", "-", "1 ", "5:", ":5", "1.5",
                           "UNLIMITED", "99999999999999999999"})
    EXPECT_FALSE(parse_time_limit(text)) << text;
}

TEST(TimeLimit, AJobIsToldInTime) {
  EXPECT_EQ(warning_seconds({}), 120);
  EXPECT_EQ(warning_seconds(60), 30);
  EXPECT_EQ(warning_seconds(300), 60);
  EXPECT_EQ(warning_seconds(3600), 360);
  EXPECT_EQ(warning_seconds(86400), 600);
}

}  // namespace
}  // namespace hiple::submit
