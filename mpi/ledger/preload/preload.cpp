/// libhiple-ledger.so: the ledger under a program that knows nothing of it.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "base/file.hpp"
#include "mpi/ledger/hooks.hpp"
#include "mpi/ledger/ledger_file.hpp"

namespace hiple::mpi {

namespace {

/// Of this process in MPI_COMM_WORLD. MPI tells it no more when it has been finalized.
int rank = 0;

const char* folder() {
  const char* name = std::getenv("HIPLE_LEDGER_DIR");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

}  // namespace

void after_init() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Ledger::of_this_process().set_mpi(version.data());
  Ledger::of_this_process().enter(Phase::program);
  if (folder() == nullptr && rank == 0)
    std::fputs("hiple ledger: HIPLE_LEDGER_DIR is not set: no ledger will be written\n", stderr);
}

void before_finalize() { Ledger::of_this_process().enter(Phase::finalize); }

/// The program's work is done; whatever goes wrong here must not change how it ends.
void after_finalize() {
  if (folder() == nullptr) return;
  try {
    const std::filesystem::path directory(folder());
    make_folder(directory);
    write_ledger(directory / (std::to_string(rank) + ".h5"), {take_ledger(rank)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiple ledger: rank %d: %s\n", rank, error.what());
  }
}

}  // namespace hiple::mpi
