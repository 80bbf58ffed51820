/* Processes that run in lockstep, as threads of a test. */
#ifndef TESTS_THREADS_COMM_H
#define TESTS_THREADS_COMM_H

#include "tests/check.h"

#include "tamis/comm.h"

#include <pthread.h>
#include <string.h>

enum { THREAD_RANKS = 3 };

typedef struct threads_comm {
    pthread_barrier_t barrier;
    const double *shown[THREAD_RANKS];
    /* Values gathered from all ranks, and from this one; values broadcast, in so many sendings. */
    size_t gathered[THREAD_RANKS], own[THREAD_RANKS], sent[THREAD_RANKS], sendings[THREAD_RANKS];
} threads_comm;

static inline void threads_gather(const tm_comm *comm, const double *mine, double *all,
                                  const int *counts)
{
    threads_comm *w = comm->payload;
    w->shown[comm->rank] = mine;
    w->own[comm->rank] += (size_t)counts[comm->rank];
    for (int r = 0; r < comm->size; r++)
        w->gathered[comm->rank] += (size_t)counts[r];
    pthread_barrier_wait(&w->barrier);
    for (int r = 0; r < comm->size; r++)
        for (int k = 0; k < counts[r]; k++)
            *all++ = w->shown[r][k];
    pthread_barrier_wait(&w->barrier);
}

static inline void threads_broadcast(const tm_comm *comm, double *values, size_t count, int root)
{
    threads_comm *w = comm->payload;
    w->sendings[comm->rank]++;
    w->sent[comm->rank] += count;
    if (comm->rank == root)
        w->shown[root] = values;
    pthread_barrier_wait(&w->barrier);
    if (comm->rank != root)
        memcpy(values, w->shown[root], count * sizeof *values);
    pthread_barrier_wait(&w->barrier);
}

static inline tm_comm threads_comm_rank(threads_comm *w, int rank)
{
    return (tm_comm){rank, THREAD_RANKS, threads_gather, threads_broadcast, w};
}

/* Calls `run` with each rank's argument, in threads of their own, until all have returned. */
static inline void threads_comm_run(threads_comm *w, void *(*run)(void *),
                                    void *const arguments[THREAD_RANKS])
{
    pthread_t threads[THREAD_RANKS];
    pthread_barrier_init(&w->barrier, NULL, THREAD_RANKS);
    for (int r = 0; r < THREAD_RANKS; r++)
        assert_int_equal(pthread_create(&threads[r], NULL, run, arguments[r]), 0);
    for (int r = 0; r < THREAD_RANKS; r++)
        pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&w->barrier);
}

#endif
