/* A tm_comm over MPI. */
#include "mpi/module.h"

#include <limits.h>
#include <mpi.h>
#include <time.h>

enum { MAX_RANKS = 4096 };
/* How long a process that has failed waits for the others, and how often it looks. */
static const double FAILED_WAITS = 10, LOOKS_EVERY = 0.002;

/* For the last barrier, which must not be taken for another operation of processes that are still
 * at work. MPI itself is there once in a process. */
static MPI_Comm ending;

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
    MPI_Comm_dup(MPI_COMM_WORLD, &ending);
    return comm->size <= MAX_RANKS ? 0 : -1;
}

static void end(bool failed)
{
    const struct timespec pause = {0, (long)(LOOKS_EVERY * 1e9)};
    MPI_Request barrier;
    int all = 0;
    MPI_Ibarrier(ending, &barrier);
    for (double waited = 0; !all; waited += LOOKS_EVERY) {
        MPI_Test(&barrier, &all, MPI_STATUS_IGNORE);
        if (!all && failed && waited > FAILED_WAITS)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (!all)
            nanosleep(&pause, NULL);
    }
    MPI_Finalize();
}

extern const mpi_module tamis_mpi;
const mpi_module tamis_mpi = {begin, end};
