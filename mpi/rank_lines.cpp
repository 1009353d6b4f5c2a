#include "mpi/rank_lines.hpp"

namespace hiple::mpi {

std::vector<report::RankLine> rank_lines(const std::vector<RankLedger>& ledgers, const Plan& plan) {
  std::vector<report::RankLine> lines;
  for (const RankLedger& ledger : ledgers) {
    const PhaseSum training = sum(ledger, Phase::train);
    report::RankLine& line = lines.emplace_back();
    line.rank = ledger.rank;
    line.role = ledger.rank == plan.integrator ? "integrator" : "trainer";
    line.engines = plan.engines.at(static_cast<std::size_t>(ledger.rank)).size();
    line.calls = training.calls;
    line.bytes = training.bytes;
    line.seconds = line.engines > 0 ? training.seconds : report::not_available;
  }
  return lines;
}

}  // namespace hiple::mpi
