#include <gmock/gmock.h>

#include "base/command.hpp"
#include "base/error.hpp"

namespace hiple {
namespace {

TEST(Command, SaysStatusOutputAndErrors) {
  const auto result = run_command({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
}

TEST(Command, NoShellReadsTheWords) {
  const std::string word = "two words; $(exit 3) 'and' \"quotes\" \\";
  EXPECT_EQ(run_command({"printf", "%s", word}).output, word);
}

TEST(Command, ASignalIsNoExitStatus) { EXPECT_EQ(run_command({"sh", "-c", "kill -9 $$"}).status, 128 + 9); }

TEST(Command, StandardInputIsEmpty) { EXPECT_EQ(run_command({"cat"}).output, ""); }

TEST(Command, MuchOutputOnBothSidesDoesNotBlock) {
  const auto result = run_command({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"});
  EXPECT_EQ(result.output.size(), 300000U);
  EXPECT_EQ(result.errors.size(), 300000U);
}

TEST(Command, OneThatDoesNotEndInTimeIsEnded) {
  EXPECT_THROW(run_command({"sleep", "600"}, std::chrono::milliseconds(100)), Error);
}

TEST(Command, AProgramThatIsNotThereIsAnError) { EXPECT_THROW(run_command({"no-such-program-anywhere"}), Error); }

}  // namespace
}  // namespace hiple
