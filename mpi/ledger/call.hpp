#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include "mpi/ledger/call_clock.hpp"
#include "mpi/ledger/handles.hpp"
#include "mpi/ledger/ledger.hpp"

/// What the generated wrappers are made of. Everything here calls PMPI functions only, or it would count itself.
namespace hiple::mpi {

/// How a function takes its time; mpi/ledger/generate.py says which does what.
enum class Manner { returns, waits, polls };

/// One call of an MPI function, until destruction. A call from inside another one (MPI's own file layer, an operation or an
/// attribute function of the user's) is a part of that one and is not counted again.
class Call {
 public:
  Call(std::size_t function, Manner manner);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void sent(std::uint64_t bytes) { record_.sent += bytes; }
  void received(std::uint64_t bytes) { record_.received += bytes; }

  /// The communicator of this call.
  void on(MPI_Comm comm) { record_.communicator = Handles::of_this_process().communicator(comm); }
  /// The same, by the ledger's number.
  void on_number(std::size_t communicator) { record_.communicator = communicator; }
  /// That of a handle which was made earlier.
  template <class Handle>
  void of(Handle handle) {
    record_.communicator = Handles::of_this_process().origin(handle).communicator;
  }
  /// That of `count` requests, where they have one in common.
  void of_all(int count, const MPI_Request* requests);
  /// Persistent requests that are about to be started: the bytes that were settled when they were made.
  void starts(int count, const MPI_Request* requests);
  /// After the call: a handle that was made on this call's communicator.
  template <class Handle>
  void made(Handle handle) {
    Handles::of_this_process().keep(handle, {record_.communicator, 0, 0});
  }
  /// After the call: a persistent request. Nothing has moved yet; each start will move what was counted.
  void prepared(MPI_Request request) {
    Handles::of_this_process().keep(request, {record_.communicator, record_.sent, record_.received});
    record_.sent = record_.received = 0;
  }

  /// The time from here on until end() is MPI's.
  void begin() { record_.start = CallClock::now(); }
  int end(int code) {
    record_.end = std::max(record_.start, CallClock::now());
    return code;
  }

 private:
  bool inner_;
  CallRecord record_;
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
