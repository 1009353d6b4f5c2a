#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "mpi/ledger/ledger.hpp"
#include "mpi/ledger/rank_ledger.hpp"

namespace hiple::mpi {
namespace {

/// The ledger of the process, as every test left it; what a test adds it looks for under a phase or communicator of its own.
Ledger& ledger() { return Ledger::of_this_process(); }

CallRecord call(std::size_t communicator, bool waits) {
  const auto start = std::chrono::steady_clock::now();
  return {0, communicator, 3, 4, start, start + std::chrono::milliseconds(2), waits, false};
}

std::vector<LedgerRow> rows_of(const std::string& communicator) {
  std::vector<LedgerRow> found;
  for (const LedgerRow& row : ledger().rows())
    if (row.communicator == communicator) found.push_back(row);
  return found;
}

TEST(Ledger, CountsByPhaseAndCommunicator) {
  const std::size_t first = ledger().communicator("first", 2), second = ledger().communicator("second", 2);
  ledger().enter(Phase::judge);
  ledger().note(call(first, true));
  ledger().note(call(first, false));
  ledger().note(call(second, false));
  ledger().enter(Phase::write);
  ledger().note(call(first, true));
  const auto rows = rows_of("first");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].phase, Phase::judge);
  EXPECT_EQ(rows[0].communicator_size, 2);
  EXPECT_EQ(rows[0].function, ledger_functions().at(0));
  EXPECT_EQ(rows[0].calls, 2U);
  EXPECT_EQ(rows[0].bytes_sent, 6U);
  EXPECT_EQ(rows[0].bytes_received, 8U);
  EXPECT_NEAR(rows[0].seconds, 0.004, 1e-9);
  EXPECT_NEAR(rows[0].wait_seconds, 0.002, 1e-9);
  EXPECT_EQ(rows[1].phase, Phase::write);
  EXPECT_EQ(rows_of("second").at(0).wait_seconds, 0);
}

TEST(Ledger, EqualNameAndSizeAreOneCommunicator) {
  EXPECT_EQ(ledger().communicator("same", 2), ledger().communicator("same", 2));
  EXPECT_NE(ledger().communicator("same", 2), ledger().communicator("same", 3));
}

TEST(Ledger, LosesNoCallOfSeveralThreads) {
  constexpr int threads = 4, calls = 5000;
  const std::size_t communicator = ledger().communicator("threads", 1);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([communicator] {
      for (int j = 0; j < calls; ++j) ledger().note(call(communicator, false));
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(rows_of("threads").at(0).calls, static_cast<std::uint64_t>(threads * calls));
}

TEST(Ledger, TakesThePhasesWithTheirEngines) {
  ledger().enter(Phase::train, "alpha");
  const std::uint64_t before = ledger().steps();
  ledger().step();
  const RankLedger taken = take_ledger(5);
  EXPECT_EQ(taken.rank, 5);
  EXPECT_EQ(taken.steps, before + 1);
  const auto& events = taken.timeline.events;
  const auto found = std::find_if(events.rbegin(), events.rend(), [](const Event& e) { return e.kind == EventKind::phase; });
  ASSERT_NE(found, events.rend());
  const Event& last = *found;  // the phase that goes on
  EXPECT_EQ(taken.timeline.names.at(last.name), "train");
  EXPECT_EQ(taken.timeline.names.at(last.detail), "alpha");
  EXPECT_GE(last.end, last.start);
  EXPECT_EQ(taken.mpi, "");
}

TEST(Ledger, NamesItsClocksZero) {
  const Clock clock = ledger().clock();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LE(clock.realtime, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  EXPECT_GT(clock.realtime, 1'700'000'000'000'000'000);
  EXPECT_GE(clock.uncertainty, 0);
}

/// The last of all: it leaves no room for others.
TEST(Ledger, ManyCommunicatorsShareOnePlace) {
  std::size_t last = 0;
  for (int size = 1; size <= 400; ++size) last = ledger().communicator("one of many", size);
  EXPECT_EQ(last, ledger().communicator("one more", 1));
  ledger().note(call(last, false));
  EXPECT_EQ(rows_of("other communicators").at(0).communicator_size, 0);
  EXPECT_LE(last, 257U);
}

}  // namespace
}  // namespace hiple::mpi
