/* A program that knows nothing of the ledger: some calls whose bytes and communicators are known, on any even number of ranks. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = rank ^ 1;

  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_set_name(pair, "pair");
  double in[4] = {1, 2, 3, 4}, out[4];
  MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, pair);

  /* Persistent requests: made once, started three times. */
  MPI_Request persistent[2];
  MPI_Recv_init(out, 4, MPI_DOUBLE, 1 - rank % 2, 5, pair, &persistent[0]);
  MPI_Send_init(in, 2, MPI_DOUBLE, 1 - rank % 2, 5, pair, &persistent[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&persistent[0]);
    MPI_Startall(1, &persistent[1]);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);

  /* Requests of two communicators in one wait: it has none. */
  MPI_Request mixed[3];
  MPI_Irecv(out, 1, MPI_DOUBLE, other, 6, MPI_COMM_WORLD, &mixed[0]);
  MPI_Isend(in, 1, MPI_DOUBLE, other, 6, MPI_COMM_WORLD, &mixed[1]);
  MPI_Iallreduce(in, out + 2, 1, MPI_DOUBLE, MPI_SUM, pair, &mixed[2]);
  MPI_Waitall(3, mixed, MPI_STATUSES_IGNORE);
  MPI_Isend(in, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD, &mixed[0]);
  MPI_Recv(out, 1, MPI_DOUBLE, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&mixed[0], MPI_STATUS_IGNORE);

  double* shared = 0;
  MPI_Win window;
  MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
  MPI_Win_fence(0, window);
  MPI_Put(in, 1, MPI_DOUBLE, other, 0, 1, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Comm_free(&pair);

  MPI_Comm again;
  MPI_Comm_dup(MPI_COMM_WORLD, &again);
  MPI_Comm_set_name(again, "");
  MPI_Barrier(again);
  MPI_Comm_free(&again);
  MPI_Finalize();
  return 0;
}
