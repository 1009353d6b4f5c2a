#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mpi/ledger/trace.hpp"

namespace hiple::mpi {
namespace {

RankLedger example(int rank, std::int64_t realtime) {
  RankLedger ledger;
  ledger.rank = rank;
  ledger.host = "host \"a\"\n\xff";
  ledger.clock = {realtime, 40, -3};
  ledger.timeline.names = {"train", "thyroid", "MPI_Isend", "world", ""};
  ledger.timeline.events = {{0.5, 1.5, EventKind::phase, 0, 1, 0, 1},
                            {1.5, 1.75, EventKind::call, 2, 3, 4, 1},
                            {1.5, 2.0, EventKind::phase, 0, 4, 0, 1}};
  ledger.timeline.dropped = 7;
  return ledger;
}

std::vector<nlohmann::json> slices(const nlohmann::json& trace, int rank) {
  std::vector<nlohmann::json> found;
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("ph") == "X" && event.at("pid") == rank) found.push_back(event);
  return found;
}

TEST(Trace, HasAProcessARankWithPhasesAndCalls) {
  const auto trace = nlohmann::json::parse(trace_json({example(0, 1'000'000'000), example(3, 1'000'002'000)}));
  const auto first = slices(trace, 0), second = slices(trace, 3);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0].at("name"), "train thyroid");
  EXPECT_EQ(first[0].at("cat"), "phase");
  EXPECT_EQ(first[0].at("ts"), 500000.0);
  EXPECT_EQ(first[0].at("dur"), 1000000.0);
  EXPECT_EQ(first[0].at("args").at("engine"), "thyroid");
  EXPECT_EQ(first[1].at("name"), "MPI_Isend");
  EXPECT_EQ(first[1].at("args").at("communicator"), "world");
  EXPECT_EQ(first[1].at("args").at("bytes"), 4);
  EXPECT_NE(first[1].at("tid"), first[0].at("tid"));
  EXPECT_EQ(first[2].at("name"), "train");
  // The second rank's zero lies two microseconds later.
  EXPECT_EQ(second[0].at("ts"), 500002.0);
}

TEST(Trace, SaysHowGoodItsClockIsAndWhatItLeftOut) {
  const auto trace = nlohmann::json::parse(trace_json({example(0, 1'000'000'000)}));
  const auto& rank = trace.at("otherData").at("ranks").at(0);
  EXPECT_EQ(rank.at("uncertainty_ns"), 40);
  EXPECT_EQ(rank.at("drift_ns"), -3);
  EXPECT_EQ(rank.at("events_dropped"), 7);
  EXPECT_FALSE(trace.at("otherData").at("clock").get<std::string>().empty());
}

TEST(Trace, OfNobodyIsValidToo) { EXPECT_TRUE(nlohmann::json::parse(trace_json({})).at("traceEvents").empty()); }

}  // namespace
}  // namespace hiple::mpi
