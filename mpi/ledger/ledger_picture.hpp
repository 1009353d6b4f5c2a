#pragma once

#include "report/picture.hpp"
#include "run/run_directory.hpp"

namespace hiple::mpi {

/// Adds the time line of the ranks, what MPI did, and the certificate, from ledger.h5 and certificate.json. What is not there, or
/// cannot be read, is missing with the reason.
void add_ledger(report::Picture& picture, const RunDirectory& directory);

}  // namespace hiple::mpi
