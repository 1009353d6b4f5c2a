#include <gtest/gtest.h>

#include "base/error.hpp"

namespace hiple {
namespace {

TEST(Error, ProblemSaysWhereWhatWhyAndRemedy) {
  const Problem problem{{"run.yaml", 3, 7}, "unknown key \"sed\"", "a run has no such setting", "did you mean \"seed\"?"};
  EXPECT_EQ(problem.text(), "run.yaml:3:7: unknown key \"sed\": a run has no such setting (did you mean \"seed\"?)");
  EXPECT_EQ((Problem{{}, "a", {}, {}}.text()), "a");
  EXPECT_EQ((Place{"f", 0, 0}.text()), "f");
}

TEST(Error, AllProblemsAreThrownTogether) {
  Problems problems;
  EXPECT_NO_THROW(problems.throw_if_any());
  problems.add({"f", 1, 1}, "one");
  problems.add(InputError(Place{"g", 2, 0}, "two"));
  try {
    problems.throw_if_any();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 2U);
    EXPECT_STREQ(error.what(), "f:1:1: one\ng:2: two");
    EXPECT_EQ(error.status(), ExitStatus::bad_input);
  }
}

}  // namespace
}  // namespace hiple
