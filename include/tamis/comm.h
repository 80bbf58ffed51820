/* Communication between processes that run in lockstep: the operations that a sharded matrix needs.
 *
 * Every process makes the same calls in the same order. The library does not depend on a transport:
 * `tamis fit --shard-columns` uses MPI, tests use threads. */
#ifndef TAMIS_COMM_H
#define TAMIS_COMM_H

#include <stddef.h>

typedef struct tm_comm {
    int rank, size;
    /* Gathers counts[r] values of each rank r into `all`, in the order of the ranks. */
    void (*gather)(const struct tm_comm *comm, const double *mine, double *all, const int *counts);
    /* Sends the values of rank `root` to all ranks. */
    void (*broadcast)(const struct tm_comm *comm, double *values, size_t count, int root);
    void *payload;
} tm_comm;

#endif
