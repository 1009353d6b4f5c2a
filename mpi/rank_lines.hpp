#pragma once

#include <vector>

#include "mpi/ledger/rank_ledger.hpp"
#include "plan/plan.hpp"
#include "report/summary.hpp"

namespace hiple::mpi {

/// The ledgers as the summary shows them: what MPI did while each rank trained.
std::vector<report::RankLine> rank_lines(const std::vector<RankLedger>& ledgers, const Plan& plan);

}  // namespace hiple::mpi
