/* Processes that work together in step: what a sharded matrix asks of whatever joins them.
 *
 * Every process makes the same calls in the same order. The library knows no transport: `tamis fit
 * --shard-columns` has one over MPI, tests have one over threads. */
#ifndef TAMIS_COMM_H
#define TAMIS_COMM_H

#include <stddef.h>

typedef struct tm_comm {
    int rank, size;
    /* Gathers counts[r] values of each rank r, one rank's after the other's, into `all`. */
    void (*gather)(const struct tm_comm *comm, const double *mine, double *all, const int *counts);
    /* The values of rank `root` for all. */
    void (*broadcast)(const struct tm_comm *comm, double *values, size_t count, int root);
    void *payload;
} tm_comm;

#endif
