/// Schedules of the simulated collectives: what one rank sends the other expects, in the same round, and the bytes are those of
/// the formulas.
#include <gmock/gmock.h>

#include "scaling/simulation/schedule.hpp"

namespace hiple::simulation {
namespace {

using testing::DoubleNear;

template <typename Make>
std::vector<Schedule> all_ranks(int ranks, const Make& make) {
  std::vector<Schedule> schedules;
  for (int rank = 0; rank < ranks; ++rank) schedules.push_back(make(rank));
  return schedules;
}

std::size_t sent_by(const Schedule& schedule) {
  std::size_t bytes = 0;
  for (const auto& round : schedule)
    for (const Exchange& one : round) bytes += one.sent;
  return bytes;
}

/// Every message has its counterpart: the receiver expects it from this rank, in this round, with these bytes.
void expect_matched(const std::vector<Schedule>& schedules) {
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    for (std::size_t round = 0; round < schedules[rank].size(); ++round) {
      for (const Exchange& one : schedules[rank][round]) {
        int matches = 0;
        for (const Exchange& other : schedules[static_cast<std::size_t>(one.to)].at(round))
          matches += other.from == static_cast<int>(rank) && other.received == one.sent ? 1 : 0;
        EXPECT_EQ(matches, 1) << "rank " << rank << ", round " << round;
      }
    }
  }
}

void expect_sent(const std::vector<Schedule>& schedules, double bytes, double slack) {
  for (const Schedule& schedule : schedules) EXPECT_THAT(static_cast<double>(sent_by(schedule)), DoubleNear(bytes, slack));
}

constexpr std::size_t whole = 1'000'003;

class OfRanks : public testing::TestWithParam<std::pair<Algorithm, int>> {};

TEST_P(OfRanks, EveryMessageIsExpectedAndBytesAreTheFormulas) {
  const auto [algorithm, ranks] = GetParam();
  const double part = static_cast<double>(whole) * (ranks - 1) / ranks, slack = 2.0 * ranks;
  const auto sums = all_ranks(ranks, [&, a = algorithm, n = ranks](int rank) { return all_reduce(a, rank, n, whole); });
  const auto scattered = all_ranks(ranks, [&, a = algorithm, n = ranks](int rank) { return reduce_scatter(a, rank, n, whole); });
  const auto gathered = all_ranks(ranks, [&, a = algorithm, n = ranks](int rank) { return all_gather(a, rank, n, whole); });
  for (const auto* one : {&sums, &scattered, &gathered}) expect_matched(*one);
  expect_sent(sums, 2 * part, slack);
  expect_sent(scattered, part, slack);
  expect_sent(gathered, part, slack);
}

INSTANTIATE_TEST_SUITE_P(Simulated, OfRanks,
                         testing::Values(std::pair{Algorithm::ring, 2}, std::pair{Algorithm::ring, 3},
                                         std::pair{Algorithm::ring, 8}, std::pair{Algorithm::halving, 2},
                                         std::pair{Algorithm::halving, 8}, std::pair{Algorithm::halving, 64}));

TEST(SimulatedSchedule, HalvingTakesLogarithmicallyManyRounds) {
  EXPECT_EQ(all_reduce(Algorithm::halving, 5, 64, whole).size(), 12U);
  EXPECT_EQ(all_reduce(Algorithm::ring, 5, 64, whole).size(), 126U);
}

TEST(SimulatedSchedule, HalvingWantsAPowerOfTwo) {
  EXPECT_THROW(all_reduce(Algorithm::halving, 0, 6, whole), std::invalid_argument);
}

TEST(SimulatedSchedule, AllToAllReachesEverybodyOnceWithinItsWindow) {
  const auto schedules = all_ranks(21, [](int rank) { return all_to_all(rank, 21, 1000, 8); });
  expect_matched(schedules);
  expect_sent(schedules, 20 * 1000, 0);
  for (const Schedule& schedule : schedules)
    for (const auto& round : schedule) EXPECT_LE(round.size(), 8U);
}

TEST(SimulatedSchedule, AllToAllOfManyGoesOverRowsAndColumns) {
  const auto schedules = all_ranks(128, [](int rank) { return all_to_all(rank, 128, 1000, 2); });
  expect_matched(schedules);
  expect_sent(schedules, 1000.0 * (15 * 8 + 7 * 16), 0);  // 16 columns, 8 rows
}

TEST(SimulatedSchedule, OneRankSaysNothing) {
  EXPECT_TRUE(all_reduce(Algorithm::ring, 0, 1, whole).empty());
  EXPECT_TRUE(all_reduce(Algorithm::halving, 0, 1, whole).empty());
  EXPECT_TRUE(all_to_all(0, 1, whole, 4).empty());
}

}  // namespace
}  // namespace hiple::simulation
