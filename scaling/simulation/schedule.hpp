#pragma once

#include <cstddef>
#include <vector>

namespace hiple::simulation {

/// One message each way at most; a peer below zero is none.
struct Exchange {
  int to = -1, from = -1;
  std::size_t sent = 0, received = 0;  ///< bytes
};

/// What one rank sends and receives for a collective, round after round: a round begins when the one before it is done.
using Schedule = std::vector<std::vector<Exchange>>;

/// How collectives are made up. `ring` is what Open MPI does at few ranks in the measured launches; `halving` is recursive
/// halving and doubling (Thakur, Rabenseifner and Gropp, IJHPCA 2005), as many bytes in 2 log2(N) messages, for powers of two.
enum class Algorithm { ring, halving };

/// The sum of `bytes` over all ranks, on all ranks: a reduce-scatter and an all-gather.
Schedule all_reduce(Algorithm algorithm, int rank, int ranks, std::size_t bytes);
/// The sum, of which each rank keeps its part.
Schedule reduce_scatter(Algorithm algorithm, int rank, int ranks, std::size_t bytes);
/// Every rank's part of `bytes` on all ranks.
Schedule all_gather(Algorithm algorithm, int rank, int ranks, std::size_t bytes);
/// `bytes` to each other rank, and from it, `window` at a time, each rank beginning with its neighbour. Above `most_flat` ranks,
/// a power of two, in two stages over rows and columns of ranks, with twice the bytes in 2 sqrt(N) messages (Hwang et al.,
/// "Tutel", MLSys 2023).
inline constexpr int most_flat = 64;
Schedule all_to_all(int rank, int ranks, std::size_t bytes, int window);

}  // namespace hiple::simulation
