#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mpi/ledger/engine_share.hpp"
#include "mpi/ledger/rank_ledger.hpp"
#include "report/summary.hpp"

namespace hiple::mpi {

/// Whether the ranks of a job synchronised while they trained.
///
/// The time in question is, on each rank, the phases `train`, `judge` and `write`: from the moment when it begins with its first
/// engine until its last one is written. That holds every step of every engine, the first and the last included, and what
/// lies between two engines. MPI_Init, MPI_Finalize and the word to the integrator lie outside; they are counted apart.
enum class Verdict {
  synchronisation_free,  ///< every rank was watched, steps were taken, and no call fell into them
  synchronised,          ///< a call fell into them
  incomplete,            ///< not known: a ledger is missing or did not watch, or nobody trained. Never better than this then
};
std::string name_of(Verdict verdict);

/// One function on one rank that was called while it trained.
struct FoundCall {
  int rank = 0;
  Phase phase = Phase::train;
  std::string function, communicator;
  std::uint64_t calls = 0, bytes = 0;
  double wait_seconds = 0;
};

/// MPI in some time of a rank.
struct Share {
  std::uint64_t calls = 0, bytes = 0;
  double wait_seconds = 0, seconds_in_mpi = 0, seconds = 0;
};

/// One rank's part of the certificate.
struct RankShare {
  int rank = 0;
  std::string host, mpi;
  std::uint64_t steps = 0;
  Share training;           ///< phases train, judge, write
  Share outside;            ///< all others
  std::string not_watched;  ///< why its calls are not known; "" where they are
};

struct Certificate {
  Verdict verdict = Verdict::incomplete;
  std::string reason;  ///< one sentence
  int ranks = 0;       ///< of the job; 0 where the engines were trained one by one, without a job that has ranks
  std::vector<int> missing;
  std::vector<RankShare> shares;   ///< of those with a ledger, ascending
  std::vector<FoundCall> found;    ///< while training; most calls first
  EngineShares engines;            ///< what the engines' processes recorded of themselves
  std::vector<Library> libraries;  ///< mapped in any rank, each once
  std::uint64_t steps = 0;         ///< all ranks
  double init_seconds = 0;         ///< in MPI_Init, which synchronises all ranks: the longest of any; 0 without MPI
  Share training;                  ///< all ranks
};

/// What the ledgers of a job with ranks 0 .. `ranks`-1 prove. A rank counts as watched only where its ledger is there; where it
/// saw MPI_Init, if the process has MPI mapped, and a communicator of NCCL made, if it has that; and where nothing is mapped that
/// could synchronise beside the ledger (SHMEM, MPI's Fortran interface, whose calls reach MPI's core without passing the ledger).
/// Where a call was found the verdict is `synchronised`, whatever else is missing. `engines`: a process of its own that was not
/// walled in makes it incomplete, since the rank's ledger does not see into it.
Certificate certify(const std::vector<RankLedger>& ledgers, int ranks, EngineShares engines = {});

/// Of engines that were trained one by one (`hiple train`, then `hiple integrate`): there is no ledger, and what proves that
/// nothing was exchanged is that nothing could be. `synchronisation_free` where every engine of the run has finished in a process
/// that had neither a library to speak by nor a socket to the network; else `incomplete`.
Certificate certify(EngineShares engines);

/// The certificate with the build that made it, as JSON (format "hiple certificate", version 1).
std::string certificate_json(const Certificate& certificate);

/// Writes certificate_json, whole or not at all.
void write_certificate(const std::filesystem::path& path, const Certificate& certificate);

/// As the summary shows it.
report::CertificateLine certificate_line(const Certificate& certificate);

}  // namespace hiple::mpi
