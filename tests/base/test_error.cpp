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

TEST(Error, WhatAFileHoldsCannotDisturbTheTerminal) {
  const Problem problem{{"t.csv", 2, 1}, std::string("\"a\0b\x1b[2J\n\xff\xc3\xbc\"", 13), {}, {}};
  EXPECT_EQ(problem.text(), "t.csv:2:1: \"a\\x00b\\x1b[2J\\x0a\\xff\xc3\xbc\"");
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

TEST(Error, ProblemsOfAFileAreToldFromTheTopOn) {
  Problems problems;
  problems.add({"run.yaml", 19, 13}, "c");
  problems.add({"law.yaml", 2, 1}, "d");
  problems.add({"run.yaml", 15, 5}, "a");
  problems.add({"run.yaml", 19, 5}, "b");
  problems.add({"law.yaml", 2, 1}, "e");
  try {
    problems.throw_if_any();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "run.yaml:15:5: a\nrun.yaml:19:5: b\nrun.yaml:19:13: c\nlaw.yaml:2:1: d\nlaw.yaml:2:1: e");
  }
}

}  // namespace
}  // namespace hiple
