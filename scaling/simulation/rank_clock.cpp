#include "scaling/simulation/rank_clock.hpp"

#include <mpi.h>

#include <utility>
#include <vector>

namespace hiple::simulation {

namespace {

std::vector<RankState>& states() {
  static std::vector<RankState> all;
  return all;
}

// SMPI passes over what is shorter (smpi/cpu-threshold); it stays owed.
constexpr double shortest = 1e-6;

}  // namespace

void RankClock::settle() {
  if (owed_ < shortest) return;
  smpi_execute(std::exchange(owed_, 0.0));
}

double RankClock::take_computed() { return std::exchange(computed_, 0.0); }

RankState& this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return states().at(static_cast<std::size_t>(rank));
}

void make_ranks(std::size_t count) {
  if (states().empty()) states().resize(count);
}

}  // namespace hiple::simulation
