#pragma once

#include <filesystem>
#include <vector>

#include "mpi/ledger/rank_ledger.hpp"

namespace hiple::mpi {

/// Writes ledgers (format "hiple ledger", version 2), whole or not at all. Every data set is a column; equal places of a group's
/// columns are one row.
void write_ledger(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers);

/// Throws InputError where the file is missing, damaged, no ledger, or of version 1, which knew no communicators.
std::vector<RankLedger> read_ledger(const std::filesystem::path& path);

}  // namespace hiple::mpi
