#pragma once

#include <vector>

#include "mpi/ledger/certificate.hpp"
#include "run/run_directory.hpp"
#include "run/train_engine.hpp"

namespace hiple::mpi {

/// Lets this process's ledger follow a training: its phases, the engines' names, and its steps.
void watch(TrainSettings& settings);

/// Writes ledger.h5, trace.json and certificate.json of a run of `ranks` ranks, from the ledgers that there are and from what the
/// engines' processes recorded of themselves.
Certificate write_records(const PreparedRun& run, const RunDirectory& directory, const std::vector<RankLedger>& ledgers,
                          int ranks);

/// Writes certificate.json of engines that were trained one by one, and adds it to the summary.
void certify_engines(report::Summary& summary, const PreparedRun& run, const RunDirectory& directory);

/// Adds the certificate and where it lies to what is printed.
void add_certificate(report::Summary& summary, const RunDirectory& directory, const Certificate& certificate);

}  // namespace hiple::mpi
