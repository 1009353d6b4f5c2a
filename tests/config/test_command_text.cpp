#include <gmock/gmock.h>

#include "config/command_text.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CommandText, NamesInBracesAreFound) {
  EXPECT_THAT(placeholders_in("--out={judgments},{x}"), ElementsAre("judgments", "x"));
  EXPECT_THAT(placeholders_in(R"({"a": 1} {} {A} {unclosed)"), IsEmpty());
}

TEST(CommandText, NamesAreFilledIn) {
  const std::map<std::string, std::string> values = {{"table", "/a b/{config}.h5"}, {"config", "c"}};
  EXPECT_EQ(fill_in("--t={table} {config}", values), "--t=/a b/{config}.h5 c") << "what was put in is not read again";
  EXPECT_EQ(fill_in("{other} {\"a\": 1}", values), "{other} {\"a\": 1}");
  EXPECT_EQ(fill_in("", values), "");
}

}  // namespace
}  // namespace hiple
