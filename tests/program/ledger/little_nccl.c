/* A program that speaks by NCCL and knows nothing of the ledger: each function once, with sizes that are known. */
#include <mpi.h>
#include <stddef.h>

typedef struct { char internal[128]; } unique_id;
int ncclGetUniqueId(unique_id*);
int ncclCommInitRank(void**, int, unique_id, int);
int ncclCommDestroy(void*);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclAllReduce(const void*, void*, size_t, int, int, void*, void*);
int ncclReduceScatter(const void*, void*, size_t, int, int, void*, void*);
int ncclAllGather(const void*, void*, size_t, int, void*, void*);
int ncclBroadcast(const void*, void*, size_t, int, int, void*, void*);
int ncclReduce(const void*, void*, size_t, int, int, int, void*, void*);
int ncclSend(const void*, size_t, int, int, void*, void*);
int ncclRecv(void*, size_t, int, int, void*, void*);

enum { ncclHalf = 6, ncclFloat = 7, ncclDouble = 8, ncclSum = 0 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unique_id id;
  void* comm = 0;
  float buffer[64];
  failed |= ncclGetUniqueId(&id);
  failed |= ncclCommInitRank(&comm, size, id, rank);
  for (int step = 0; step < 3; ++step) failed |= ncclAllReduce(buffer, buffer, 10, ncclFloat, ncclSum, comm, 0);
  failed |= ncclReduceScatter(buffer, buffer, 5, ncclHalf, ncclSum, comm, 0);
  failed |= ncclAllGather(buffer, buffer, 6, ncclDouble, comm, 0);
  failed |= ncclBroadcast(buffer, buffer, 7, ncclFloat, 1, comm, 0);
  failed |= ncclReduce(buffer, buffer, 8, ncclFloat, ncclSum, 0, comm, 0);
  failed |= ncclGroupStart();
  failed |= ncclSend(buffer, 9, ncclFloat, rank ^ 1, comm, 0);
  failed |= ncclRecv(buffer, 9, ncclFloat, rank ^ 1, comm, 0);
  failed |= ncclGroupEnd();
  failed |= ncclCommDestroy(comm);
  MPI_Finalize();
  return failed;
}
