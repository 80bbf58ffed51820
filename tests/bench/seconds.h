/* A clock for the programs of scripts/bench. */
#ifndef TESTS_BENCH_SECONDS_H
#define TESTS_BENCH_SECONDS_H

#include <time.h>

static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
