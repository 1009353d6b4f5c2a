/* A library with NCCL's name and some of its functions, which move nothing: what the ledger's wrappers have to find behind them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct comm { int size, rank; };
typedef struct { char internal[128]; } unique_id;

int ncclGetUniqueId(unique_id* id) { memset(id, 0, sizeof *id); return 0; }

int ncclCommInitRank(struct comm** made, int size, unique_id id, int rank) {
  (void)id;
  *made = malloc(sizeof **made);
  (*made)->size = size;
  (*made)->rank = rank;
  return 0;
}

int ncclCommCount(struct comm* comm, int* count) { *count = comm->size; return 0; }
int ncclCommUserRank(struct comm* comm, int* rank) { *rank = comm->rank; return 0; }
int ncclCommDestroy(struct comm* comm) { free(comm); return 0; }
int ncclGroupStart(void) { return 0; }
int ncclGroupEnd(void) { return 0; }

int ncclAllReduce(const void* in, void* out, size_t count, int type, int op, struct comm* comm, void* stream) {
  (void)in, (void)out, (void)count, (void)type, (void)op, (void)comm, (void)stream;
  return 0;
}

int ncclReduceScatter(const void* in, void* out, size_t count, int type, int op, struct comm* comm, void* stream) {
  return ncclAllReduce(in, out, count, type, op, comm, stream);
}

int ncclAllGather(const void* in, void* out, size_t count, int type, struct comm* comm, void* stream) {
  return ncclAllReduce(in, out, count, type, 0, comm, stream);
}

int ncclBroadcast(const void* in, void* out, size_t count, int type, int root, struct comm* comm, void* stream) {
  (void)root;
  return ncclAllReduce(in, out, count, type, 0, comm, stream);
}

int ncclReduce(const void* in, void* out, size_t count, int type, int op, int root, struct comm* comm, void* stream) {
  (void)root;
  return ncclAllReduce(in, out, count, type, op, comm, stream);
}

int ncclSend(const void* in, size_t count, int type, int peer, struct comm* comm, void* stream) {
  (void)peer;
  return ncclAllReduce(in, NULL, count, type, 0, comm, stream);
}

int ncclRecv(void* out, size_t count, int type, int peer, struct comm* comm, void* stream) {
  (void)peer;
  return ncclAllReduce(NULL, out, count, type, 0, comm, stream);
}
