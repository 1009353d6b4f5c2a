#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/ledger/ledger.hpp"
#include "mpi/ledger/libraries.hpp"

namespace hiple::mpi {

/// The ledger of one rank, as it stands in ledger/RANK.h5 and ledger.h5.
struct RankLedger {
  int rank = 0;
  std::string host;
  std::string mpi;          ///< the MPI library's version in its own words; "" where the process had none
  std::uint64_t steps = 0;  ///< of training
  Clock clock;
  std::vector<LedgerRow> rows;
  std::vector<PhaseTime> phases;
  std::vector<Library> libraries;  ///< mapped when the ledger was taken
  Timeline timeline;
};

/// This process's ledger as it is now. MPI_Finalize comes later and cannot be in a file that is written before it.
RankLedger take_ledger(int rank);

/// What MPI cost in one phase of one rank.
struct PhaseSum {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;    ///< sent and received
  double seconds_in_mpi = 0;  ///< of `seconds`
  double wait_seconds = 0;    ///< of those in MPI: in functions that may wait for other processes
  double seconds = 0;
};
PhaseSum sum(const RankLedger& ledger, Phase phase);

}  // namespace hiple::mpi
