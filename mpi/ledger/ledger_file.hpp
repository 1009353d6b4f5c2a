#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mpi/ledger/ledger.hpp"

namespace hiple::mpi {

/// The ledger of one rank, as it stands in ledger/RANK.h5 and ledger.h5.
struct RankLedger {
  int rank = 0;
  std::string host;
  std::vector<LedgerRow> rows;
  std::vector<PhaseTime> phases;
};

/// This process's ledger as it is now. MPI_Finalize comes later and cannot be in a file that is written before it.
RankLedger take_ledger(int rank);

/// Writes ledgers (format "hiple ledger", version 1), whole or not at all: for each row of /calls rank, phase, function, calls,
/// bytes_sent, bytes_received, seconds; for each row of /phases rank, phase, calls, seconds in MPI and in all.
void write_ledger(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers);

/// Throws InputError where the file is missing, damaged or no ledger.
std::vector<RankLedger> read_ledger(const std::filesystem::path& path);

/// What MPI cost in one phase of one rank.
struct PhaseSum {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;    ///< sent and received
  double seconds_in_mpi = 0;  ///< of `seconds`
  double seconds = 0;
};
PhaseSum sum(const RankLedger& ledger, Phase phase);

}  // namespace hiple::mpi
