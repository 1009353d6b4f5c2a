#include "mpi/ledger/handles.hpp"

#include <array>
#include <string>

#include "mpi/ledger/ledger.hpp"

namespace hiple::mpi {

namespace {

/// "world", "self", the name that the communicator was given, or "".
std::string name_of(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  const std::string given(name.data());
  if (comm == MPI_COMM_WORLD && (given.empty() || given == "MPI_COMM_WORLD")) return "world";
  if (comm == MPI_COMM_SELF && (given.empty() || given == "MPI_COMM_SELF")) return "self";
  return given;
}

}  // namespace

Handles& Handles::of_this_process() {
  static Handles handles;
  return handles;
}

std::size_t Handles::communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return 0;
  const std::lock_guard lock(mutex_);
  const auto found = communicators_.find(number(comm));
  if (found != communicators_.end()) return found->second;
  std::string name = name_of(comm);
  if (name.empty()) name = "communicator " + std::to_string(++unnamed_);
  int size = 0;
  PMPI_Comm_size(comm, &size);
  const std::size_t index = Ledger::of_this_process().communicator(name, size);
  communicators_.emplace(number(comm), index);
  return index;
}

void Handles::forget(MPI_Comm comm) {
  const std::lock_guard lock(mutex_);
  communicators_.erase(number(comm));
}

}  // namespace hiple::mpi
