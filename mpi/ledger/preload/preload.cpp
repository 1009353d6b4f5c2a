/// libhiple-ledger.so: the ledger under a program that knows nothing of it.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "mpi/ledger/hooks.hpp"
#include "mpi/ledger/ledger_file.hpp"

namespace hiple::mpi {

namespace {

/// Of this process in MPI_COMM_WORLD. MPI tells it no more when it has been finalized.
int rank = 0;
bool saw_init = false;

const char* folder() {
  const char* name = std::getenv("HIPLE_LEDGER_DIR");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

bool has_fortran(const std::vector<Library>& libraries) {
  return std::any_of(libraries.begin(), libraries.end(),
                     [](const Library& library) { return library.kind == "MPI for Fortran"; });
}

/// A program in Fortran initialises MPI past the ledger, which then has nothing to write, and must not end in silence.
[[gnu::destructor]] void at_the_end() {
  if (saw_init || folder() == nullptr) return;
  const char* number = std::getenv("OMPI_COMM_WORLD_RANK");
  if (number == nullptr) number = std::getenv("PMIX_RANK");
  const bool is_first = number == nullptr || std::string(number) == "0";
  try {
    if (is_first && has_fortran(mapped_libraries()))
      std::fputs("hiple ledger: the program calls MPI from Fortran, past the ledger: there is none\n", stderr);
  } catch (const std::exception&) {
    return;  // the program's end is not the place to fail
  }
}

}  // namespace

void after_init() {
  saw_init = true;
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
    const RankLedger ledger = take_ledger(rank);
    write_ledger(directory / (std::to_string(rank) + ".h5"), {ledger});
    if (rank == 0 && has_fortran(ledger.libraries))
      std::fputs("hiple ledger: MPI's Fortran interface is mapped: calls from Fortran are not in these ledgers\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiple ledger: rank %d: %s\n", rank, error.what());
  }
}

}  // namespace hiple::mpi
