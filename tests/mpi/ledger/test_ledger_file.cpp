#include <gtest/gtest.h>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "temporary_folder.hpp"

namespace hiple::mpi {
namespace {

RankLedger example(int rank) {
  RankLedger ledger;
  ledger.rank = rank;
  ledger.host = "host" + std::to_string(rank);
  ledger.mpi = "Some MPI";
  ledger.steps = 12;
  ledger.clock = {1'764'500'000'123'456'789, 30, -5};
  ledger.rows = {{Phase::train, "gradients", 2, "MPI_Allreduce", 3, 24, 25, 0.5, 0.25}};
  ledger.phases = {{Phase::train, 4.0}};
  ledger.libraries = {{"MPI", "/usr/lib/libmpi.so.40"}};
  ledger.timeline.names = {"train", "alpha", "MPI_Allreduce", "gradients"};
  ledger.timeline.events = {{0, 1, EventKind::phase, 0, 1, 0, 1}, {0.5, 0.75, EventKind::call, 2, 3, 49, 2}};
  ledger.timeline.dropped = 4;
  return ledger;
}

TEST(LedgerFile, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "ledger.h5";
  RankLedger other = example(2);
  other.timeline.names = {"MPI_Allreduce", "train", "gradients", "beta"};
  other.timeline.events = {{0, 1, EventKind::phase, 1, 3, 0, 1}};
  write_ledger(path, {example(0), other});
  const auto read = read_ledger(path);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].rank, 2);
  EXPECT_EQ(read[1].host, "host2");
  EXPECT_EQ(read[0].mpi, "Some MPI");
  EXPECT_EQ(read[0].steps, 12U);
  EXPECT_EQ(read[0].clock.realtime, 1'764'500'000'123'456'789);
  EXPECT_EQ(read[0].clock.drift, -5);
  ASSERT_EQ(read[0].rows.size(), 1U);
  EXPECT_EQ(read[0].rows[0].communicator, "gradients");
  EXPECT_EQ(read[0].rows[0].communicator_size, 2);
  EXPECT_EQ(read[0].rows[0].bytes_received, 25U);
  EXPECT_EQ(read[0].rows[0].wait_seconds, 0.25);
  EXPECT_EQ(read[0].libraries, example(0).libraries);
  EXPECT_EQ(sum(read[0], Phase::train).wait_seconds, 0.25);
  EXPECT_EQ(sum(read[0], Phase::train).seconds, 4.0);
  const Timeline& timeline = read[1].timeline;
  ASSERT_EQ(timeline.events.size(), 1U);
  EXPECT_EQ(timeline.names.at(timeline.events[0].name), "train");
  EXPECT_EQ(timeline.names.at(timeline.events[0].detail), "beta");
  EXPECT_EQ(read[0].timeline.events[1].calls, 2U);
  EXPECT_EQ(read[0].timeline.dropped, 4U);
}

TEST(LedgerFile, OfNobodyIsAFileToo) {
  const TemporaryFolder folder;
  write_ledger(folder.path() / "ledger.h5", {});
  EXPECT_TRUE(read_ledger(folder.path() / "ledger.h5").empty());
}

TEST(LedgerFile, RefusesTheFirstVersion) {
  const TemporaryFolder folder;
  h5::Writer(folder.path() / "old.h5", "hiple ledger", 1).finish();
  EXPECT_THROW(read_ledger(folder.path() / "old.h5"), InputError);
}

}  // namespace
}  // namespace hiple::mpi
