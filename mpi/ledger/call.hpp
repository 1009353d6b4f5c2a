#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>

/// What the generated wrappers are made of. Everything here calls PMPI functions only, or it would count itself.
namespace hiple::mpi {

/// One call of an MPI function, from construction to destruction.
class Call {
 public:
  explicit Call(std::size_t function) : function_(function), start_(std::chrono::steady_clock::now()) {}
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void sent(std::uint64_t bytes) { sent_ += bytes; }
  void received(std::uint64_t bytes) { received_ += bytes; }

 private:
  std::size_t function_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

/// Bytes of `count` elements; 0 for a null type.
std::uint64_t bytes(std::int64_t count, MPI_Datatype type);
/// Bytes of `n` blocks of different sizes, and of different types.
std::uint64_t bytes(const int* counts, int n, MPI_Datatype type);
std::uint64_t bytes(const int* counts, int n, const MPI_Datatype* types);

/// Processes that a collective over `comm` talks to: its size, or the other side's.
int peers(MPI_Comm comm);
int rank_in(MPI_Comm comm);
/// Whether this process is the root; on an intercommunicator, MPI_ROOT.
bool is_root(int root, MPI_Comm comm);
/// Neighbours of this process in the topology of `comm`.
int sources(MPI_Comm comm);
int destinations(MPI_Comm comm);

}  // namespace hiple::mpi
