#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/threads.hpp"

namespace hiple {
namespace {

TEST(Threads, EachNumberOnceAndTheFirstHere) {
  for (const int count : {-1, 0, 1, 3}) {
    std::vector<std::thread::id> ids(3);
    std::atomic<int> calls = 0;
    on_threads(count, [&](int number) {
      ids.at(static_cast<std::size_t>(number)) = std::this_thread::get_id();
      ++calls;
    });
    EXPECT_EQ(calls, std::max(count, 1));
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    if (count == 3) {
      EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 3U);
    }
  }
}

TEST(Threads, WhatOneThrowsComesOutOnceAllHaveReturned) {
  std::atomic<int> returned = 0;
  const auto work = [&](int number) {
    ++returned;
    if (number > 0) throw std::runtime_error(std::to_string(number));
  };
  try {
    on_threads(4, work);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
  EXPECT_EQ(returned, 4);
}

TEST(Threads, ProcessorsAreThoseThatWeAreBoundTo) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(bound_processors(), CPU_COUNT(&all));
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(bound_processors(), 1);
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

}  // namespace
}  // namespace hiple
