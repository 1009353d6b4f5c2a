#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple::mpi {

/// What the process that trained an engine recorded of itself when it had trained (engines/E/result.json): a process of its own,
/// or the rank's. The rank's ledger does not see into the former.
struct EngineShare {
  std::string engine;
  std::string isolation;            ///< process or rank
  std::uint64_t attempt = 1;        ///< the one that finished
  std::uint64_t steps = 0;          ///< all that its weights took
  std::vector<std::string> mapped;  ///< libraries of MPI, NCCL and SHMEM
  std::string internet;             ///< what came of trying to open an internet socket

  /// No library to speak by, and no socket to the network: nothing could be exchanged while it trained.
  [[nodiscard]] bool is_walled_in() const;
  bool operator==(const EngineShare&) const = default;
};

/// Those engines of a run that have finished, and the names of the others.
struct EngineShares {
  std::vector<EngineShare> shares;
  std::vector<std::string> missing;
};
EngineShares engine_shares(const PreparedRun& run, const RunDirectory& directory);

}  // namespace hiple::mpi
