#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "process/pulse.hpp"

namespace hiple::process {
namespace {

TEST(Pulse, WhatAProcessWroteStaysWhenItIsKilled) {
  const Pulse pulse;
  const pid_t child = ::fork();
  if (child == 0) {
    const Pulse own = Pulse::attach(::dup(pulse.descriptor()));
    own.beat();
    own.step(41);
    own.step(42);
    own.end(7, "the reason");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(pulse->beats.load(), 3U);
  EXPECT_EQ(pulse->step.load(), 42U);
  EXPECT_EQ(pulse->verdict.load(), 7U);
  EXPECT_EQ(pulse.reason(), "the reason");
  EXPECT_GT(pulse->last_beat.load(), 0);
  EXPECT_LE(pulse->last_beat.load(), monotonic_now());
}

TEST(Pulse, ALongReasonIsCut) {
  const Pulse pulse;
  pulse.end(1, std::string(100000, 'x'));
  EXPECT_EQ(pulse.reason().size(), sizeof(PulseBlock::reason) - 1);
}

TEST(Pulse, AnotherDescriptorIsRefused) { EXPECT_THROW(Pulse::attach(::dup(2)), Error); }

}  // namespace
}  // namespace hiple::process
