#include "mpi/ledger/rank_ledger.hpp"

#include "run/host.hpp"

namespace hiple::mpi {

RankLedger take_ledger(int rank) {
  const Ledger& ledger = Ledger::of_this_process();
  RankLedger result;
  result.rank = rank;
  result.host = host_name();
  result.mpi = ledger.mpi();
  result.steps = ledger.steps();
  result.clock = ledger.clock();
  result.rows = ledger.rows();
  result.phases = ledger.phase_times();
  result.libraries = mapped_libraries();
  result.timeline = ledger.timeline();
  return result;
}

PhaseSum sum(const RankLedger& ledger, Phase phase) {
  PhaseSum result;
  for (const LedgerRow& row : ledger.rows) {
    if (row.phase != phase) continue;
    result.calls += row.calls;
    result.bytes += row.bytes_sent + row.bytes_received;
    result.seconds_in_mpi += row.seconds;
    result.wait_seconds += row.wait_seconds;
  }
  for (const PhaseTime& time : ledger.phases)
    if (time.phase == phase) result.seconds = time.seconds;
  return result;
}

}  // namespace hiple::mpi
