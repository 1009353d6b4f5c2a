#include "mpi/ledger/call.hpp"

namespace hiple::mpi {

namespace {

/// Calls that this thread is in.
thread_local int depth = 0;

struct Degrees {
  int in = 0, out = 0;
};

Degrees degrees(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  Degrees result;
  if (topology == MPI_CART) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    result.in = result.out = 2 * dimensions;
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, rank_in(comm), &result.in);
    result.out = result.in;
  } else if (topology == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &result.in, &result.out, &weighted);
  }
  return result;
}

}  // namespace

Call::Call(std::size_t function, Manner manner) : inner_(depth++ > 0) {
  record_.function = function;
  record_.waits = manner == Manner::waits;
  record_.polls = manner == Manner::polls;
}

Call::~Call() {
  --depth;
  if (!inner_) Ledger::of_this_process().note(record_);
}

void Call::of_all(int count, const MPI_Request* requests) {
  record_.communicator = Handles::of_this_process().common_origin(count, requests).communicator;
}

void Call::starts(int count, const MPI_Request* requests) {
  const Origin origin = Handles::of_this_process().common_origin(count, requests);
  record_.communicator = origin.communicator;
  sent(origin.sent);
  received(origin.received);
}

std::uint64_t bytes(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0) return 0;
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

std::uint64_t bytes(const int* counts, int n, MPI_Datatype type) {
  std::int64_t elements = 0;
  for (int i = 0; i < n; ++i) elements += counts[i];
  return bytes(elements, type);
}

std::uint64_t bytes(const int* counts, int n, const MPI_Datatype* types) {
  std::uint64_t total = 0;
  for (int i = 0; i < n; ++i) total += bytes(counts[i], types[i]);
  return total;
}

int peers(MPI_Comm comm) {
  int between = 0;
  int size = 0;
  PMPI_Comm_test_inter(comm, &between);
  if (between != 0) {
    PMPI_Comm_remote_size(comm, &size);
  } else {
    PMPI_Comm_size(comm, &size);
  }
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

bool is_root(int root, MPI_Comm comm) { return root == MPI_ROOT || root == rank_in(comm); }

int sources(MPI_Comm comm) { return degrees(comm).in; }

int destinations(MPI_Comm comm) { return degrees(comm).out; }

}  // namespace hiple::mpi
