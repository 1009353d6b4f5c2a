#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace hiple {
namespace {

TEST(Text, NearestNameIsATypoAway) {
  const std::vector<std::string> names = {"hidden", "activation", "dropout"};
  EXPECT_EQ(nearest_name("hiden", names), "hidden");
  EXPECT_EQ(nearest_name("dorpout", names), "dropout");
  EXPECT_EQ(nearest_name("zzz", names), std::nullopt);
  EXPECT_EQ(suggestion("hiden", names), "did you mean \"hidden\"?");
  EXPECT_EQ(suggestion("zzz", names), "one of: hidden, activation, dropout");
  EXPECT_EQ(suggestion("zzz", {}), "");
}

TEST(Text, NumbersAreReadInFullOrNotAtAll) {
  EXPECT_EQ(parse_real("1e-3"), 1e-3);
  EXPECT_EQ(parse_real("-0.5"), -0.5);
  for (const char* wrong : {"", " 1", "1 ", "1,5", "nan", "inf", "1e999", "0x10", "+1", "1.2.3"})
    EXPECT_EQ(parse_real(wrong), std::nullopt) << wrong;
  EXPECT_EQ(parse_integer("-42"), -42);
  for (const char* wrong : {"010", "-01", "1.0", "9223372036854775808", "", "1e3"})
    EXPECT_EQ(parse_integer(wrong), std::nullopt) << wrong;
  EXPECT_EQ(parse_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
}

TEST(Text, RealsReadBackAsThemselves) {
  for (const double value : {0.1, 1.0 / 3.0, 1e300, -5e-324, 0.0}) EXPECT_EQ(parse_real(format_real(value)), value);
}

TEST(Text, SplitJoinTrim) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(join(split("a,,b", ','), "+"), "a++b");
  EXPECT_EQ(trim(" \t x y \r\n"), "x y");
  EXPECT_EQ(trim("  "), "");
}

}  // namespace
}  // namespace hiple
