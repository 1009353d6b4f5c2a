#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "mpi/ledger/call_clock.hpp"

namespace hiple::mpi {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How far a reading lies outside of the two of steady_clock around it, at most, over a tenth of a second and several anchors.
std::chrono::nanoseconds largest_error() {
  std::chrono::nanoseconds worst = 0ns;
  const auto end = Steady::now() + 150ms;
  for (auto before = Steady::now(); before < end; before = Steady::now()) {
    const auto read = CallClock::now();
    const auto after = Steady::now();
    worst = std::max({worst, std::chrono::nanoseconds(before - read), std::chrono::nanoseconds(read - after)});
  }
  return worst;
}

TEST(CallClock, TellsTheTimeOfSteadyClock) { EXPECT_LT(largest_error(), 20us); }

TEST(CallClock, TellsEveryThread) {
  std::vector<std::chrono::nanoseconds> errors(3);
  std::vector<std::thread> threads;
  for (auto& error : errors) threads.emplace_back([&error] { error = largest_error(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto error : errors) EXPECT_LT(error, 20us);
}

TEST(CallClock, IsHeldToSteadyClockAfterALongTime) {
  CallClock::now();
  std::this_thread::sleep_for(200ms);
  const auto before = Steady::now(), read = CallClock::now(), after = Steady::now();
  EXPECT_GE(read, before);
  EXPECT_LE(read, after);
}

}  // namespace
}  // namespace hiple::mpi
