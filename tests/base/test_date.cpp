#include <gtest/gtest.h>

#include "base/date.hpp"

namespace hiple {
namespace {

TEST(Date, DaysSince1970) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("2000-03-01"), 11017);
  EXPECT_EQ(format_date(11017), "2000-03-01");
  EXPECT_EQ(format_date(-1), "1969-12-31");
  EXPECT_EQ(parse_date("2024-02-29"), 19782);
  for (const char* wrong : {"2023-02-29", "2023-13-01", "2023-1-01", "2023/01/01", "", "0000-01-01", "2023-01-0x", "20230101"}) {
    EXPECT_EQ(parse_date(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace hiple
