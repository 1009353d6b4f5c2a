#pragma once

namespace hiple::mpi {

/// Called by the wrappers of MPI_Init, MPI_Init_thread and MPI_Finalize: what the library that is preloaded under a program that
/// knows nothing of the ledger has to do then. In our own programs they do nothing.
void after_init();
void before_finalize();
void after_finalize();

}  // namespace hiple::mpi
