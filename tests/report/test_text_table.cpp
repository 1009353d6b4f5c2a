#include <gtest/gtest.h>

#include <limits>

#include "report/text_table.hpp"

namespace hiple::report {
namespace {

TEST(TextTable, AlignsByCharacters) {
  EXPECT_EQ(text_table({{"name", "n"}, {"é", "12"}, {"abcdef", "3"}}), "name     n\né       12\nabcdef   3\n");
  EXPECT_EQ(text_table({{"a", "b", "c"}, {"x", "long", ""}}, {1}), "a  b     c\nx  long\n");
  EXPECT_EQ(text_table({{"a", "b"}, {"only"}}), "a     b\nonly\n") << "rows may be short";
  EXPECT_EQ(text_table({}), "");
  EXPECT_EQ(text_table({{""}}), "\n");
}

TEST(TextTable, Numbers) {
  EXPECT_EQ(number_text(0.93849), "0.938");
  EXPECT_EQ(number_text(2, 0), "2");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "n/a");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "n/a");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1234567), "1 234 567");
  EXPECT_EQ(count_text(std::numeric_limits<std::uint64_t>::max()), "18 446 744 073 709 551 615");
}

TEST(TextTable, Seconds) {
  EXPECT_EQ(seconds_text(0.0123), "0.012 s");
  EXPECT_EQ(seconds_text(12.34), "12.3 s");
  EXPECT_EQ(seconds_text(245), "4 min 05 s");
  EXPECT_EQ(seconds_text(7380), "2 h 03 min");
  EXPECT_EQ(seconds_text(-1), "n/a");
  EXPECT_EQ(seconds_text(std::numeric_limits<double>::quiet_NaN()), "n/a");
}

}  // namespace
}  // namespace hiple::report
