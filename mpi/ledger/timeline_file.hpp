#pragma once

#include <map>
#include <vector>

#include "h5/h5.hpp"
#include "mpi/ledger/rank_ledger.hpp"

namespace hiple::mpi {

/// The group /timeline of a ledger: the events of all ranks, with their names in one table.
void write_timeline(h5::Writer& file, const std::vector<RankLedger>& ledgers);

/// Into the ledgers that are there already, by rank. Throws InputError for rows of another rank and names that do not exist.
void read_timeline(const h5::Reader& file, std::map<std::uint32_t, RankLedger>& ledgers);

}  // namespace hiple::mpi
