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
  std::string given(name.data());
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
  struct Last {
    MPI_Comm comm = MPI_COMM_NULL;
    std::size_t index = 0;
    std::uint64_t generation = 0;
  };
  static thread_local Last last;
  if (comm == MPI_COMM_NULL) return 0;
  const std::uint64_t generation = generation_.load(std::memory_order_acquire);
  if (last.comm != comm || last.generation != generation) last = {comm, look_up(comm), generation};
  return last.index;
}

std::size_t Handles::look_up(MPI_Comm comm) {
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
  generation_.fetch_add(1, std::memory_order_release);
}

Origin Handles::common_origin(int count, const MPI_Request* requests) const {
  const std::lock_guard lock(mutex_);
  Origin common;
  bool first = true;
  for (int i = 0; i < count; ++i) {
    const auto found = origins_.find(number(requests[i]));
    if (requests[i] == MPI_REQUEST_NULL || found == origins_.end()) continue;
    const Origin& one = found->second;
    common.communicator = first || one.communicator == common.communicator ? one.communicator : 0;
    common.sent += one.sent;
    common.received += one.received;
    first = false;
  }
  return common;
}

}  // namespace hiple::mpi
