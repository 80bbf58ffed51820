/* Distributes a loop over several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Calls work(from, to, payload) at most once in each of `threads` threads, including the caller's,
 * for disjoint ranges that together cover 0 .. count-1; returns when all are done. Threads are
 * created for each call, so that the work should take longer than a few hundred microseconds. If a
 * thread cannot be created the caller does its range. */
void parallel_ranges(size_t count, int threads, void (*work)(size_t from, size_t to, void *payload),
                     void *payload);

/* The same in ranges that begin at multiples of PARALLEL_GROUP: a pass over the columns of a matrix
 * takes several at a time, and how a column's product is rounded depends on which. So ranges of
 * whole groups give the same bits on any number of threads. */
enum { PARALLEL_GROUP = 64 };
void parallel_groups(size_t count, int threads, void (*work)(size_t from, size_t to, void *payload),
                     void *payload);

/* The same in chunks of `chunk` items, for items of different cost: every thread takes the next
 * chunk when it has finished one, so that work is called many times, for disjoint ranges that begin
 * at multiples of `chunk`. */
void parallel_chunks(size_t count, size_t chunk, int threads,
                     void (*work)(size_t from, size_t to, void *payload), void *payload);

#endif
