#include "scaling/simulation/schedule.hpp"

#include <algorithm>
#include <stdexcept>

namespace hiple::simulation {

namespace {

/// Part `i` of `bytes` among `ranks`.
std::size_t part(std::size_t bytes, int ranks, int i) {
  const auto count = static_cast<std::size_t>(ranks), index = static_cast<std::size_t>(((i % ranks) + ranks) % ranks);
  return bytes * (index + 1) / count - bytes * index / count;
}

/// N - 1 rounds to the right neighbour, from the left one: in round k the part that the rank holds since round k - 1.
void add_ring(Schedule& schedule, int rank, int ranks, std::size_t bytes, int shift) {
  for (int k = 0; k < ranks - 1; ++k)
    schedule.push_back({{.to = (rank + 1) % ranks,
                         .from = (rank + ranks - 1) % ranks,
                         .sent = part(bytes, ranks, rank - k + shift),
                         .received = part(bytes, ranks, rank - k - 1 + shift)}});
}

/// Ranks at distance N/2, N/4, ... 1 swap halves of what they have; or from 1 on upwards what they have got.
void add_halving(Schedule& schedule, int rank, int ranks, std::size_t bytes, bool down) {
  if ((ranks & (ranks - 1)) != 0) throw std::invalid_argument("recursive halving wants a power of two of ranks");
  for (int i = 1; i < ranks; i *= 2) {
    const int distance = down ? ranks / (2 * i) : i;
    const std::size_t swapped = bytes * static_cast<std::size_t>(distance) / static_cast<std::size_t>(ranks);
    const int peer = rank ^ distance;
    schedule.push_back({{.to = peer, .from = peer, .sent = swapped, .received = swapped}});
  }
}

/// `bytes` to each of `count` ranks that are `distance` apart and begin with the first of this one's, `window` at a time, each
/// beginning with its neighbour.
void add_to_each(Schedule& schedule, int rank, int count, int distance, std::size_t bytes, int window) {
  const int own = rank / distance % count, first_rank = rank - own * distance;
  for (int first = 1; first < count; first += window) {
    auto& round = schedule.emplace_back();
    for (int k = first; k < std::min(count, first + window); ++k)
      round.push_back({.to = first_rank + (own + k) % count * distance,
                       .from = first_rank + (own + count - k) % count * distance,
                       .sent = bytes,
                       .received = bytes});
  }
}

/// One of the two halves of an all-reduce. In a ring the gathering begins with the part that the scattering leaves: one further.
Schedule half(Algorithm algorithm, int rank, int ranks, std::size_t bytes, bool scatters) {
  Schedule schedule;
  if (algorithm == Algorithm::ring)
    add_ring(schedule, rank, ranks, bytes, scatters ? 0 : 1);
  else
    add_halving(schedule, rank, ranks, bytes, scatters);
  return schedule;
}

}  // namespace

Schedule reduce_scatter(Algorithm algorithm, int rank, int ranks, std::size_t bytes) {
  return half(algorithm, rank, ranks, bytes, true);
}

Schedule all_gather(Algorithm algorithm, int rank, int ranks, std::size_t bytes) {
  return half(algorithm, rank, ranks, bytes, false);
}

Schedule all_reduce(Algorithm algorithm, int rank, int ranks, std::size_t bytes) {
  Schedule schedule = reduce_scatter(algorithm, rank, ranks, bytes);
  const Schedule gathered = all_gather(algorithm, rank, ranks, bytes);
  schedule.insert(schedule.end(), gathered.begin(), gathered.end());
  return schedule;
}

Schedule all_to_all(int rank, int ranks, std::size_t bytes, int window) {
  Schedule schedule;
  if (ranks <= most_flat || (ranks & (ranks - 1)) != 0) {
    add_to_each(schedule, rank, ranks, 1, bytes, window);
    return schedule;
  }
  int columns = 1;
  while (columns * columns < ranks) columns *= 2;
  const int rows = ranks / columns;
  add_to_each(schedule, rank, columns, 1, bytes * static_cast<std::size_t>(rows), window);
  add_to_each(schedule, rank, rows, columns, bytes * static_cast<std::size_t>(columns), window);
  return schedule;
}

}  // namespace hiple::simulation
