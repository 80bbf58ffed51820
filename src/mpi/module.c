/* A tm_comm over MPI. */
#include "mpi/module.h"

#include <limits.h>
#include <mpi.h>

enum { MAX_RANKS = 4096 };

static void gather(const tm_comm *comm, const double *mine, double *all, const int *counts)
{
    int places[MAX_RANKS];
    for (int r = 0, at = 0; r < comm->size; r++) {
        places[r] = at;
        at += counts[r];
    }
    MPI_Allgatherv(mine, counts[comm->rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

static void broadcast(const tm_comm *comm, double *values, size_t count, int root)
{
    (void)comm;
    for (size_t done = 0; done < count; done += INT_MAX) {
        size_t piece = count - done < INT_MAX ? count - done : INT_MAX;
        MPI_Bcast(values + done, (int)piece, MPI_DOUBLE, root, MPI_COMM_WORLD);
    }
}

/* Calls are made by one thread at a time, but not always by the same one. */
static int begin(tm_comm *comm)
{
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return -1;
    *comm = (tm_comm){.gather = gather, .broadcast = broadcast};
    MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm->size);
    return comm->size <= MAX_RANKS ? 0 : -1;
}

static void end(void)
{
    MPI_Finalize();
}

extern const mpi_module tamis_mpi;
const mpi_module tamis_mpi = {begin, end};
