#include "mpi/ledger/records.hpp"

#include <utility>

#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/trace.hpp"

namespace hiple::mpi {

void watch(TrainSettings& settings) {
  Ledger& ledger = Ledger::of_this_process();
  settings.phase = [&ledger](Phase phase, const std::string& engine) { ledger.enter(phase, engine); };
  settings.on_step = [&ledger, also = std::move(settings.on_step)](std::uint64_t step) {
    ledger.step();
    if (also) also(step);
  };
}

Certificate write_records(const PreparedRun& run, const RunDirectory& directory, const std::vector<RankLedger>& ledgers,
                          int ranks) {
  write_ledger(directory.ledger(), ledgers);
  write_trace(directory.trace(), ledgers);
  Certificate certificate = certify(ledgers, ranks, engine_shares(run, directory));
  write_certificate(directory.certificate(), certificate);
  return certificate;
}

void certify_engines(report::Summary& summary, const PreparedRun& run, const RunDirectory& directory) {
  const Certificate certificate = certify(engine_shares(run, directory));
  write_certificate(directory.certificate(), certificate);
  summary.certificate = certificate_line(certificate);
  summary.files.emplace_back("certificate", directory.certificate().string());
}

void add_certificate(report::Summary& summary, const RunDirectory& directory, const Certificate& certificate) {
  summary.certificate = certificate_line(certificate);
  summary.files.emplace_back("certificate", directory.certificate().string());
  summary.files.emplace_back("time line", directory.trace().string());
}

}  // namespace hiple::mpi
