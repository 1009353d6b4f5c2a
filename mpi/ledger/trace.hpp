#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mpi/ledger/rank_ledger.hpp"

namespace hiple::mpi {

/// The time lines of all ranks as Chrome trace events (the "Trace Event Format", JSON object form), which Perfetto and
/// chrome://tracing show: a process for each rank, in it a track of phases, with the engine's name, and a track of MPI calls.
/// Times are microseconds since the first rank's zero on the real-time clock; `otherData` says how good that is.
std::string trace_json(const std::vector<RankLedger>& ledgers);

/// Writes trace_json, whole or not at all.
void write_trace(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers);

}  // namespace hiple::mpi
